package dev.rowcast.event;

import static java.util.Objects.requireNonNull;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A row change as its source saw it: complete, not yet on the wire.
 *
 * @param table whose row
 * @param op what happened
 * @param occurred when, to the microsecond
 * @param key the key columns, in key order
 * @param row the whole row after the change; null exactly on delete
 * @param before the whole row before the change; null on insert and where the source doesn't know
 * @param actor who did it, canonical JSON; null where the source doesn't know
 */
public record RowChange(
    TableId table,
    Op op,
    Instant occurred,
    JsonObject key,
    @Nullable JsonObject row,
    @Nullable JsonObject before,
    @Nullable JsonObject actor) {

  public RowChange {
    requireNonNull(table, "table");
    requireNonNull(op, "op");
    requireNonNull(occurred, "occurred");
    requireNonNull(key, "key");
    if ((row == null) != (op == Op.DELETE)) {
      throw new IllegalArgumentException(
          op
              + ": row "
              + (row == null ? "absent" : "present")
              + " (expected: absent on delete only)");
    }
    if (op == Op.INSERT && before != null) {
      throw new IllegalArgumentException("INSERT: before present (expected: absent on insert)");
    }
  }
}
