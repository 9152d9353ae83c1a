package dev.rowcast.normalise;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;

/** How often a thread may be replaced: {@link #MOST} times within {@link #WITHIN}. Thread-safe. */
final class RestartBudget {
  static final int MOST = 5;
  static final Duration WITHIN = Duration.ofMinutes(1);

  private final ArrayDeque<Instant> spent = new ArrayDeque<>();

  /** Whether there is one left, which is spent then. */
  synchronized boolean spend(Instant now) {
    while (!spent.isEmpty() && !spent.getFirst().plus(WITHIN).isAfter(now)) {
      spent.removeFirst();
    }
    if (spent.size() == MOST) {
      return false;
    }
    spent.addLast(now);
    return true;
  }
}
