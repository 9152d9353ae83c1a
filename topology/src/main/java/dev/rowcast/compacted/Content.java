package dev.rowcast.compacted;

import org.jspecify.annotations.Nullable;

/** What a compacted topic's records add up to. Called by one thread, the topic's follower. */
public interface Content {

  /**
   * Takes a record, in the topic's order.
   *
   * @param key the record's key, never empty
   * @param value null says that the key is gone
   * @throws RuntimeException if it isn't a record of this topic: it is counted and passed over
   */
  void apply(byte[] key, byte @Nullable [] value);

  /** What was applied since the last call may be seen now: whoever wrote it is told next. */
  void publish();

  /** The topic starts anew: forgets everything, unseen until {@link #publish()}. */
  void clear();
}
