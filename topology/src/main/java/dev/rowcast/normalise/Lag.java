package dev.rowcast.normalise;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;

/**
 * How old the oldest record is that isn't done, judged by when the topic's end was seen where: no
 * record has to be read for it. Exact to the time between two looks. One thread.
 */
final class Lag {
  // an hour of looks two seconds apart; beyond it the oldest stay, so the age stays right
  private static final int MOST = 1_800;

  private final ArrayDeque<Look> notDone = new ArrayDeque<>();

  /**
   * Notes a look.
   *
   * @param end where the topic ends now
   * @param position everything before it is done
   * @return the age of the oldest record that isn't done; zero where all are
   */
  Duration look(Instant now, long end, long position) {
    while (!notDone.isEmpty() && notDone.getFirst().end() <= position) {
      notDone.removeFirst();
    }
    if (end <= position) {
      notDone.clear();
      return Duration.ZERO;
    }
    if (notDone.isEmpty() || (notDone.size() < MOST && notDone.getLast().end() < end)) {
      notDone.addLast(new Look(now, end));
    }
    return Duration.between(notDone.getFirst().at(), now);
  }

  private record Look(Instant at, long end) {}
}
