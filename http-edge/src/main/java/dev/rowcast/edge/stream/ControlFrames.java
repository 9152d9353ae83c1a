package dev.rowcast.edge.stream;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.rowcast.cursor.Cursor;
import java.nio.ByteBuffer;
import java.util.concurrent.ThreadLocalRandom;

/**
 * The blocks of a stream that tell no change: WHATWG HTML, "Server-sent events". Each ends with an
 * empty line. Stateless; thread-safe.
 */
final class ControlFrames {
  private ControlFrames() {}

  /** The first bytes: a comment, when to come back, and where the stream starts. */
  static ByteBuffer start(long position, String epoch) {
    return block(": rowcast\n" + retry(2_000, 5_000) + id(position, epoch));
  }

  /** A sign of life that moves nothing. */
  static ByteBuffer heartbeat() {
    return block(":heartbeat\n");
  }

  /** A sign of life that says how far suppressed events have moved the position. */
  static ByteBuffer heartbeat(long position, String epoch) {
    return block(":heartbeat\n" + id(position, epoch));
  }

  /** The stream ends where it would have to skip: without an id, so that the last one stays. */
  static ByteBuffer gap(String reason, long oldest, long latest, String epoch) {
    return block(
        "event: gap\ndata: {\"reason\":"
            + quote(reason)
            + ",\"oldestCursor\":\""
            + new Cursor.At(oldest, epoch)
            + "\",\"latestCursor\":\""
            + new Cursor.At(latest, epoch)
            + "\"}\n");
  }

  /** The credential no longer carries the stream. */
  static ByteBuffer end(String reason) {
    return block("event: end\ndata: {\"reason\":" + quote(reason) + "}\n");
  }

  /** This node goes away: come back at a time of your own, to whoever is there. */
  static ByteBuffer goodbye() {
    return block(": closing\n" + retry(500, 5_000));
  }

  /** This node has no room: an EventSource would give up on a status other than 200. */
  static ByteBuffer overloaded() {
    return block(": overloaded\n" + retry(10_000, 30_000));
  }

  private static ByteBuffer block(String lines) {
    return ByteBuffer.wrap((lines + "\n").getBytes(US_ASCII));
  }

  private static String id(long position, String epoch) {
    return "id: " + new Cursor.At(position, epoch) + "\n";
  }

  /** Spread out, lest all come back at once. */
  private static String retry(int fromMillis, int toMillis) {
    return "retry: " + ThreadLocalRandom.current().nextInt(fromMillis, toMillis) + "\n";
  }

  /** A JSON string in ASCII. */
  private static String quote(String text) {
    StringBuilder out = new StringBuilder("\"");
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c < 0x20 || c > 0x7e || c == '"' || c == '\\') {
        out.append(String.format("\\u%04x", (int) c));
      } else {
        out.append(c);
      }
    }
    return out.append('"').toString();
  }
}
