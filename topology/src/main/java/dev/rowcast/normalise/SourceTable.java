package dev.rowcast.normalise;

import dev.rowcast.event.Column;
import dev.rowcast.event.TableId;
import dev.rowcast.source.Strategy;
import dev.rowcast.source.TableDescriptor;
import java.util.List;

/**
 * A table and the topic that its changes come from.
 *
 * @param table its name in events
 * @param source the source's {@code id} in the configuration
 * @param strategy how the topic's records are read
 * @param topic the topic, of this table alone
 * @param columns those whose type is known
 * @param key the key columns, in key order, never empty
 */
public record SourceTable(
    TableId table,
    String source,
    Strategy strategy,
    String topic,
    List<Column> columns,
    List<String> key) {
  public SourceTable {
    columns = List.copyOf(columns);
    key = List.copyOf(key);
    if (key.isEmpty()) {
      throw new IllegalArgumentException(table + ": key: empty (expected: at least one column)");
    }
  }

  /** The table as the catalog has it. */
  TableDescriptor descriptor() {
    return new TableDescriptor(table, source, strategy, columns, key);
  }
}
