package dev.rowcast.policy;

import static java.util.Objects.requireNonNull;

/**
 * What is seen of one table.
 *
 * @param rows which rows
 * @param columns which columns of them, and in which form
 */
public record TableAccess(RowFilter rows, ColumnRules columns) {
  public TableAccess {
    requireNonNull(rows, "rows");
    requireNonNull(columns, "columns");
  }
}
