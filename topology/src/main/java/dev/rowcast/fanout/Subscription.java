package dev.rowcast.fanout;

import java.nio.ByteBuffer;

/**
 * One reader's place in the feed: a position, not a queue. One thread at a time calls {@link
 * #next}; the rest is thread-safe.
 */
public interface Subscription extends AutoCloseable {

  /**
   * What to write next; never blocks. After {@link Idle} the subscription's wakeup is called once
   * there may be something.
   *
   * @param packing how live events are told
   * @param maxBytes about how much at most; one frame is never split
   */
  Next next(Packing packing, int maxBytes);

  /** Up to where everything was handed out by {@link #next} or was not for this reader. */
  long position();

  /** Gives the place up; idempotent. */
  @Override
  void close();

  /** How live events are told; history comes in batches either way, unless rows are asked for. */
  enum Packing {
    /** One frame per event. */
    SINGLE,
    /** One batch frame for all there is. */
    BATCH
  }

  /** What {@link Subscription#next} answers. */
  sealed interface Next {}

  /**
   * Whole frames.
   *
   * @param bytes to be written as they are; shared with other readers, hence read-only
   * @param position where the reader is once they are written
   */
  record Frames(ByteBuffer bytes, long position) implements Next {}

  /** Nothing now. */
  record Idle() implements Next {
    public static final Idle INSTANCE = new Idle();
  }

  /**
   * The reader can't go on without a hole; the stream is to end.
   *
   * @param reason in words
   * @param oldest the oldest position that is retained
   * @param latest the newest position
   */
  record Gap(String reason, long oldest, long latest) implements Next {}
}
