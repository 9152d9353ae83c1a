package dev.rowcast.policy.eval;

import dev.rowcast.event.JsonObject;
import dev.rowcast.policy.value.Casts;
import dev.rowcast.policy.value.Ordering;
import dev.rowcast.policy.value.SqlType.Base;
import dev.rowcast.policy.value.ValueException;
import org.jspecify.annotations.Nullable;

/** A column's value as what indexes look it up by: equal exactly where SQL's values are. */
public final class CellKey {
  private final Cell cell;
  private final Base from;
  private final Base on;

  public CellKey(IndexSpec.KeyColumn column) {
    this.cell = new Cell(column.column(), column.type());
    this.from = column.type().base();
    this.on = column.on();
  }

  /** Null for NULL, and for what has no such value: nothing equals it. */
  public @Nullable Object of(JsonObject row) {
    try {
      Object value = cell.read(row);
      return value == null ? null : Ordering.key(on, Casts.cast(from, on, Casts.Limit.NONE, value));
    } catch (ValueException e) {
      return null;
    }
  }
}
