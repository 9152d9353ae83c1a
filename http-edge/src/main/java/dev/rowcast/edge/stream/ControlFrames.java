package dev.rowcast.edge.stream;

import dev.rowcast.cursor.Cursor;
import dev.rowcast.event.JsonBytes;
import dev.rowcast.frame.SseEncoder;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/** The blocks of a stream that tell no change. Stateless; thread-safe. */
final class ControlFrames {
  private ControlFrames() {}

  /** The first bytes: a comment, when to come back, and where the stream starts. */
  static ByteBuffer start(long position, String epoch) {
    return joined(
        SseEncoder.comment(" connected"), retry(2_000, 5_000), SseEncoder.id(id(position, epoch)));
  }

  /** A sign of life that moves nothing. */
  static ByteBuffer heartbeat() {
    return ByteBuffer.wrap(SseEncoder.comment("heartbeat"));
  }

  /** A sign of life that says how far suppressed events have moved the position. */
  static ByteBuffer heartbeat(long position, String epoch) {
    return joined(SseEncoder.comment("heartbeat"), SseEncoder.id(id(position, epoch)));
  }

  /** The stream ends where it would have to skip: without an id, so that the last one stays. */
  static ByteBuffer gap(String reason, long oldest, long latest, String epoch) {
    byte[] data =
        new JsonBytes(160)
            .ascii("{\"reason\":")
            .string(reason)
            .ascii(",\"oldestCursor\":")
            .string(id(oldest, epoch))
            .ascii(",\"latestCursor\":")
            .string(id(latest, epoch))
            .raw('}')
            .toByteArray();
    return ByteBuffer.wrap(SseEncoder.event(null, "gap", data));
  }

  /** The credential no longer carries the stream. */
  static ByteBuffer end(String reason) {
    byte[] data = new JsonBytes(64).ascii("{\"reason\":").string(reason).raw('}').toByteArray();
    return ByteBuffer.wrap(SseEncoder.event(null, "end", data));
  }

  /** This node goes away: come back at a time of your own, to whoever is there. */
  static ByteBuffer goodbye() {
    return joined(SseEncoder.comment(" closing"), retry(500, 5_000));
  }

  /** This node has no room: an EventSource would give up on a status other than 200. */
  static ByteBuffer overloaded() {
    return joined(SseEncoder.comment(" overloaded"), retry(10_000, 30_000));
  }

  private static String id(long position, String epoch) {
    return new Cursor.At(position, epoch).toString();
  }

  /** Spread out, lest all come back at once. */
  private static byte[] retry(int fromMillis, int toMillis) {
    int millis = ThreadLocalRandom.current().nextInt(fromMillis, toMillis);
    return SseEncoder.retry(Duration.ofMillis(millis));
  }

  private static ByteBuffer joined(byte[]... blocks) {
    JsonBytes out = new JsonBytes(128);
    for (byte[] block : blocks) {
      out.raw(block);
    }
    return ByteBuffer.wrap(out.toByteArray());
  }
}
