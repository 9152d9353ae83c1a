package dev.rowcast.fanout;

/** What an audience gets of an event. */
enum Verdict {
  /** Nothing. */
  HIDDEN,
  /** The event. */
  WHOLE,
  /** A delete in its place: the row was visible and isn't any more. */
  LEFT
}
