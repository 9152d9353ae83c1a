package dev.rowcast.compacted;

import java.time.Duration;

/** How long to wait before trying again: doubled each time, up to {@link #LONGEST}. One thread. */
final class Pause {
  static final Duration FIRST = Duration.ofMillis(100);
  static final Duration LONGEST = Duration.ofSeconds(5);

  private Duration next = FIRST;

  Duration next() {
    Duration now = next;
    Duration doubled = now.multipliedBy(2);
    next = doubled.compareTo(LONGEST) > 0 ? LONGEST : doubled;
    return now;
  }

  /** It worked. */
  void reset() {
    next = FIRST;
  }
}
