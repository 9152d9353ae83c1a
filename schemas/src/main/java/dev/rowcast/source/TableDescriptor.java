package dev.rowcast.source;

import static java.util.Objects.requireNonNull;

import dev.rowcast.event.Column;
import dev.rowcast.event.TableId;
import java.util.List;

/**
 * A captured table as its source found it.
 *
 * @param table its name in events
 * @param source the source's {@code id} in the configuration
 * @param strategy how its changes are had now (a fallback may differ from what was configured)
 * @param columns in table order; empty where the source doesn't know
 * @param key the key columns, in key order, never empty
 */
public record TableDescriptor(
    TableId table, String source, Strategy strategy, List<Column> columns, List<String> key) {
  public TableDescriptor {
    requireNonNull(table, "table");
    requireNonNull(source, "source");
    requireNonNull(strategy, "strategy");
    columns = List.copyOf(columns);
    key = List.copyOf(key);
    if (key.isEmpty()) {
      throw new IllegalArgumentException(table + ": key: empty (expected: at least one column)");
    }
  }
}
