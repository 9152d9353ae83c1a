package dev.rowcast.fanout;

/** The form in which a stream tells events. */
public enum FrameShape {
  /** {@code GET /events/stream}: named events whose data is an event object; history in batches. */
  EVENT,
  /**
   * {@code GET /data/subscribe/…}: unnamed events with {@code event}, {@code table}, {@code row}.
   */
  ROW
}
