package dev.rowcast.policy;

import dev.rowcast.event.JsonObject;

/**
 * Which rows of a table are seen: a predicate whose claims are filled in already. Three-valued
 * logic as in SQL: what isn't true hides the row.
 */
public sealed interface RowFilter {

  /** Whether a row image is seen. Never throws: what can't be decided is not seen. */
  boolean test(JsonObject row);

  /** Every row. */
  record Everything() implements RowFilter {
    @Override
    public boolean test(JsonObject row) {
      return true;
    }
  }

  /** No row. */
  record Nothing() implements RowFilter {
    @Override
    public boolean test(JsonObject row) {
      return false;
    }
  }

  /**
   * Rows whose column has a value: what the fan-out can index.
   *
   * @param column the column's name
   * @param value what it has to equal
   */
  record ColumnEquals(String column, Scalar value) implements RowFilter {
    @Override
    public boolean test(JsonObject row) {
      int i = row.find(column);
      return i >= 0 && value.equals(Scalar.of(row, i));
    }
  }
}
