package dev.rowcast.policy;

import dev.rowcast.config.Configuration;
import dev.rowcast.config.TableConfig;
import dev.rowcast.config.TableConfig.ColumnConfig;
import dev.rowcast.event.Column;
import dev.rowcast.event.TableId;
import dev.rowcast.policy.sql.TableColumns;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Columns as their source found them; until then those that the configuration gives a {@code
 * data_type}. Thread-safe if {@code captured} is.
 */
public final class ConfiguredColumns implements TableColumns {
  private final Map<TableId, TableConfig> tables = new HashMap<>();
  private final Map<String, TableId> byName = new HashMap<>();
  private final Function<TableId, List<Column>> captured;

  /**
   * @param captured the columns of a table as its source found them; empty where it isn't captured
   *     yet or its source can't tell
   */
  public ConfiguredColumns(Configuration configuration, Function<TableId, List<Column>> captured) {
    this.captured = captured;
    for (TableConfig table : configuration.tables()) {
      tables.put(table.table(), table);
    }
    configuration.tables().forEach(table -> byName.put(table.id(), table.table()));
    // what the database calls a table goes before what the configuration does
    configuration.tables().forEach(table -> byName.put(table.table().name(), table.table()));
  }

  @Override
  public Optional<TableId> table(@Nullable String schema, String name) {
    if (schema == null) {
      return Optional.ofNullable(byName.get(name));
    }
    return tables.keySet().stream()
        .filter(table -> table.schema().equals(schema) && table.name().equals(name))
        .findFirst();
  }

  @Override
  public Known columns(TableId table) {
    List<Column> found = captured.apply(table);
    if (!found.isEmpty()) {
      return new Known(found, true);
    }
    List<Column> typed = new ArrayList<>();
    TableConfig config = tables.get(table);
    for (ColumnConfig column : config == null ? List.<ColumnConfig>of() : config.columns()) {
      if (column.dataType() != null) {
        typed.add(Column.of(column.name(), column.dataType()));
      }
    }
    return new Known(typed, false);
  }
}
