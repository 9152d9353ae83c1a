package dev.rowcast.policy.eval;

import dev.rowcast.event.JsonObject;
import dev.rowcast.policy.eval.IndexSpec.KeyColumn;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * What of a row an index of callers looks at. Equal where the same is looked at, so that all who
 * are found by it stand in one index.
 */
public sealed interface KeySource {

  /** A reader for one index; it may be used by one thread at a time. */
  Reader reader();

  /** Gives the keys of a row. */
  interface Reader {
    void keys(JsonObject row, Consumer<Object> keys);
  }

  /** The value of a column of the row. */
  record OfColumn(KeyColumn column) implements KeySource {
    @Override
    public Reader reader() {
      CellKey key = new CellKey(column);
      return (row, keys) -> {
        Object value = key.of(row);
        if (value != null) {
          keys.accept(value);
        }
      };
    }
  }

  /**
   * What is found in the rows of another table that belong to the row: of a task, by its project,
   * the users of the project's memberships.
   *
   * @param index the other table's rows
   * @param by the row's columns whose values find them
   * @param inner what of those rows
   */
  record OfRows(RowIndex index, List<KeyColumn> by, KeySource inner) implements KeySource {
    public OfRows {
      by = List.copyOf(by);
    }

    @Override
    public Reader reader() {
      List<CellKey> columns = by.stream().map(CellKey::new).toList();
      Reader reader = inner.reader();
      return (row, keys) -> {
        List<Object> key = new ArrayList<>(columns.size());
        for (CellKey column : columns) {
          Object value = column.of(row);
          if (value == null) {
            return;
          }
          key.add(value);
        }
        boolean unused =
            index.any(
                List.copyOf(key),
                found -> {
                  reader.keys(found, keys);
                  return false;
                });
      };
    }
  }
}
