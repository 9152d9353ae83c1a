package dev.rowcast.policy.eval;

import dev.rowcast.event.JsonObject;
import dev.rowcast.policy.value.SqlType;
import dev.rowcast.policy.value.ValueException;
import org.jspecify.annotations.Nullable;

/**
 * Reads one column. Rows of a table have their members in one order, so the place where it was
 * found last is looked at first. Thread-safe: a place that another thread noted is only a guess.
 */
final class Cell {
  private final byte[] rawName;
  private final SqlType type;
  private int lastSeen;

  Cell(String column, SqlType type) {
    this.rawName = JsonObject.rawName(column);
    this.type = type;
  }

  /**
   * Where the column is in a row.
   *
   * @throws ValueException where it isn't: what is not known isn't taken for NULL
   */
  int find(JsonObject row) {
    int guess = lastSeen;
    if (guess < row.size() && row.nameIs(guess, rawName)) {
      return guess;
    }
    int i = row.find(rawName);
    if (i < 0) {
      throw new ValueException("a column isn't in the row");
    }
    lastSeen = i;
    return i;
  }

  /** The column's value; null for NULL. */
  @Nullable Object read(JsonObject row) {
    return CellValues.read(type, row, find(row));
  }
}
