package dev.rowcast.connectors.postgres;

import dev.rowcast.event.RowChange;
import java.util.ArrayList;
import java.util.List;

/**
 * Puts changes in the order in which they happened to their rows where triggers of the table wrote
 * to it again. A statement's own changes are told when it ends, after those that its row triggers
 * made: an insert whose trigger then updates the new row would be told as update, insert. Pure.
 */
final class NestedWrites {
  private NestedWrites() {}

  /**
   * A change with what tells who made it.
   *
   * @param transaction the group of its outbox row
   * @param depth of the trigger that told it
   */
  record Told(RowChange change, long transaction, int depth) {}

  /**
   * The changes in order. One moves ahead of those that a deeper trigger told of the same row just
   * before, if the first of them starts from what it left.
   */
  static List<RowChange> inOrder(List<Told> told) {
    List<Told> ordered = new ArrayList<>(told.size());
    int deepest = 1;
    for (Told next : told) {
      int at = ordered.size();
      if (next.depth < deepest) {
        for (int i = ordered.size() - 1; i >= 0 && sameTransaction(ordered.get(i), next); i--) {
          if (startsFrom(ordered.get(i), next)) {
            at = i;
          }
        }
      }
      deepest = Math.max(deepest, next.depth);
      ordered.add(at, next);
    }
    return ordered.stream().map(Told::change).toList();
  }

  private static boolean sameTransaction(Told earlier, Told next) {
    return earlier.transaction == next.transaction;
  }

  private static boolean startsFrom(Told earlier, Told next) {
    return earlier.depth > next.depth
        && earlier.change.before() != null
        && earlier.change.before().equals(next.change.row())
        && earlier.change.key().equals(next.change.key())
        && earlier.change.table().equals(next.change.table());
  }
}
