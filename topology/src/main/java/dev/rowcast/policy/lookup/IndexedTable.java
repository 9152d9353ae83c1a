package dev.rowcast.policy.lookup;

import dev.rowcast.event.JsonObject;
import dev.rowcast.policy.eval.CellKey;
import dev.rowcast.policy.eval.IndexSpec.KeyColumn;
import dev.rowcast.policy.eval.RowIndex;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The rows of one table by their keys, and as many indexes over them as rules ask for. Changes and
 * new indexes are made under this object's monitor; indexes are read without a lock.
 */
final class IndexedTable {
  private final Map<JsonObject, JsonObject> rows = new HashMap<>();
  private final Map<List<KeyColumn>, HashIndex> indexes = new HashMap<>();

  /** A row under the values of its columns. */
  private record Found(JsonObject key, JsonObject row) {}

  synchronized void put(JsonObject key, @Nullable JsonObject row) {
    JsonObject before = row == null ? rows.remove(key) : rows.put(key, row);
    for (HashIndex index : indexes.values()) {
      index.replace(key, before, row);
    }
  }

  /** An index that follows changes from now on. */
  synchronized RowIndex index(List<KeyColumn> by) {
    HashIndex index = indexes.get(by);
    if (index == null) {
      index = made(by);
      indexes.put(by, index);
    }
    return index;
  }

  /** An index over the rows as they are, which nobody keeps. */
  synchronized RowIndex passing(List<KeyColumn> by) {
    HashIndex index = indexes.get(by);
    return index == null ? made(by) : index;
  }

  private HashIndex made(List<KeyColumn> by) {
    HashIndex made = new HashIndex(by);
    rows.forEach((key, row) -> made.replace(key, null, row));
    return made;
  }

  /** Rows by the values of columns: one row as it is, several in a map by their keys. */
  private static final class HashIndex implements RowIndex {
    private final List<CellKey> columns;
    private final Map<List<Object>, Object> rows = new ConcurrentHashMap<>();

    HashIndex(List<KeyColumn> by) {
      this.columns = by.stream().map(CellKey::new).toList();
    }

    private @Nullable List<Object> valuesOf(@Nullable JsonObject row) {
      if (row == null) {
        return null;
      }
      List<Object> values = new ArrayList<>(columns.size());
      for (CellKey column : columns) {
        Object value = column.of(row);
        if (value == null) {
          return null;
        }
        values.add(value);
      }
      return List.copyOf(values);
    }

    void replace(JsonObject key, @Nullable JsonObject before, @Nullable JsonObject row) {
      List<Object> from = valuesOf(before);
      List<Object> to = valuesOf(row);
      if (to != null && row != null) {
        add(to, new Found(key, row));
      }
      if (from != null && !from.equals(to)) {
        remove(from, key);
      }
    }

    @SuppressWarnings("unchecked")
    private void add(List<Object> values, Found found) {
      Object there = rows.get(values);
      if (there instanceof Map<?, ?>) {
        ((Map<JsonObject, Found>) there).put(found.key(), found);
      } else if (there instanceof Found other && !other.key().equals(found.key())) {
        Map<JsonObject, Found> several = new ConcurrentHashMap<>();
        several.put(other.key(), other);
        several.put(found.key(), found);
        rows.put(values, several);
      } else {
        rows.put(values, found);
      }
    }

    private void remove(List<Object> values, JsonObject key) {
      Object there = rows.get(values);
      if (there instanceof Map<?, ?> several) {
        several.remove(key);
        if (several.isEmpty()) {
          rows.remove(values);
        }
      } else if (there instanceof Found found && found.key().equals(key)) {
        rows.remove(values);
      }
    }

    @Override
    public boolean any(List<Object> key, Predicate<JsonObject> such) {
      Object there = rows.get(key);
      if (there instanceof Found found) {
        return such.test(found.row());
      }
      if (there instanceof Map<?, ?> several) {
        for (Object found : several.values()) {
          if (such.test(((Found) found).row())) {
            return true;
          }
        }
      }
      return false;
    }
  }
}
