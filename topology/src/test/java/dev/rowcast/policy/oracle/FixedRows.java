package dev.rowcast.policy.oracle;

import dev.rowcast.event.JsonObject;
import dev.rowcast.event.TableId;
import dev.rowcast.policy.eval.CellKey;
import dev.rowcast.policy.eval.IndexSpec;
import dev.rowcast.policy.eval.RowIndex;
import dev.rowcast.policy.eval.RowLookup;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Answers look-ups by going through all rows. */
final class FixedRows implements RowLookup {
  private final Map<TableId, List<JsonObject>> rows = new HashMap<>();

  void add(TableId table, JsonObject row) {
    rows.computeIfAbsent(table, id -> new ArrayList<>()).add(row);
  }

  @Override
  public RowIndex index(IndexSpec spec) {
    List<CellKey> columns = spec.by().stream().map(CellKey::new).toList();
    return (key, such) -> {
      for (JsonObject row : rows.getOrDefault(spec.table(), List.of())) {
        List<Object> own = new ArrayList<>();
        columns.forEach(column -> own.add(column.of(row)));
        if (own.equals(key) && such.test(row)) {
          return true;
        }
      }
      return false;
    };
  }
}
