package dev.rowcast.frame;

import dev.rowcast.event.JsonBytes;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Writes server-sent events as WHATWG HTML §9.2 defines them; nothing else writes them. No value
 * can end a line or a frame that it shouldn't: data is split at line ends (a reader gets LF for any
 * of them), and names, ids and comments lose CR, LF and NUL. Stateless.
 */
public final class SseEncoder {
  private static final byte[] DATA = "data: ".getBytes(StandardCharsets.US_ASCII);

  private SseEncoder() {}

  /** A comment: keeps a connection alive, tells a reader nothing. */
  public static byte[] comment(String text) {
    return ended(line(new JsonBytes(16), ":", text));
  }

  /** How long a reader waits before it reconnects. */
  public static byte[] retry(Duration delay) {
    return ended(line(new JsonBytes(32), "retry: ", Long.toString(delay.toMillis())));
  }

  /** Moves the position that a reader resumes from, without an event. */
  public static byte[] id(String id) {
    return ended(line(new JsonBytes(48), "id: ", id));
  }

  /**
   * One event.
   *
   * @param id null for none: then a reader resumes from the last one it saw
   * @param event null for an unnamed one
   */
  public static byte[] event(@Nullable String id, @Nullable String event, byte[] data) {
    JsonBytes out = new JsonBytes(data.length + 96);
    start(out, id, event);
    data(out, data, 0, data.length);
    return ended(out);
  }

  /** The lines before the data. */
  static void start(JsonBytes out, @Nullable String id, @Nullable String event) {
    if (id != null) {
      line(out, "id: ", id);
    }
    if (event != null) {
      line(out, "event: ", event);
    }
  }

  /** Data that is canonical JSON, and so one line, is to be written next; then {@link #end}. */
  static JsonBytes startJson(JsonBytes out) {
    return out.raw(DATA);
  }

  /** The end of the data's line and of the event. */
  static byte[] end(JsonBytes out) {
    return out.raw('\n').raw('\n').toByteArray();
  }

  private static void data(JsonBytes out, byte[] data, int from, int to) {
    int at = from;
    for (int i = from; i < to; i++) {
      if (data[i] == '\n' || data[i] == '\r') {
        out.raw(DATA).raw(data, at, i - at).raw('\n');
        if (data[i] == '\r' && i + 1 < to && data[i + 1] == '\n') {
          i++;
        }
        at = i + 1;
      }
    }
    out.raw(DATA).raw(data, at, to - at).raw('\n');
  }

  private static JsonBytes line(JsonBytes out, String field, String text) {
    boolean clean = true;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      clean &= c != '\r' && c != '\n' && c != 0;
    }
    String safe = clean ? text : text.replaceAll("[\\r\\n\\x00]", "");
    return out.ascii(field).raw(safe.getBytes(StandardCharsets.UTF_8)).raw('\n');
  }

  private static byte[] ended(JsonBytes out) {
    return out.raw('\n').toByteArray();
  }
}
