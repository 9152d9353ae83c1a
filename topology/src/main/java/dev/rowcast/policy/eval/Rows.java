package dev.rowcast.policy.eval;

import dev.rowcast.event.JsonObject;
import org.jspecify.annotations.Nullable;

/**
 * What a predicate is evaluated with. Belongs to one evaluation.
 *
 * @param row the row at hand: the one that is judged, or a look-up's
 * @param outer what the look-up stands in; null for the row that is judged
 * @param arguments what was computed from claims
 * @param now microseconds since 1970
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record Rows(JsonObject row, @Nullable Rows outer, @Nullable Object[] arguments, long now) {

  Rows inner(JsonObject found) {
    return new Rows(found, this, arguments, now);
  }

  /** The row that many levels up. */
  JsonObject row(int up) {
    Rows rows = this;
    for (int i = up; i > 0 && rows.outer != null; i--) {
      rows = rows.outer;
    }
    return rows.row;
  }
}
