package dev.rowcast.log;

import dev.rowcast.event.EventCodec;
import dev.rowcast.event.EventRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.jspecify.annotations.Nullable;

/**
 * From a record of {@code events} to an event. A record that isn't one reaches nobody: it would be
 * taken apart by byte positions. Stateless; thread-safe.
 */
public final class EventDecoder {
  private EventDecoder() {}

  /** The event; null for a record that isn't one. */
  public static @Nullable EventRecord decode(
      long offset, byte @Nullable [] value, Headers headers) {
    Header before = headers.lastHeader(EventCodec.BEFORE_HEADER);
    return decode(offset, value, before == null ? null : before.value());
  }

  static @Nullable EventRecord decode(
      long offset, byte @Nullable [] value, byte @Nullable [] before) {
    if (value == null || hasControls(value)) {
      return null;
    }
    try {
      return EventRecord.parse(offset, value, before);
    } catch (RuntimeException e) {
      return null;
    }
  }

  /** Canonical JSON escapes what could end a line: a frame's data is one. */
  private static boolean hasControls(byte[] value) {
    for (byte b : value) {
      if (b >= 0 && b < 0x20) {
        return true;
      }
    }
    return false;
  }
}
