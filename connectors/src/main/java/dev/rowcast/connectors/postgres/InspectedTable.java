package dev.rowcast.connectors.postgres;

import dev.rowcast.connectors.postgres.ColumnTypes.CatalogColumn;
import dev.rowcast.event.Column;
import dev.rowcast.event.TableId;
import java.util.List;

/**
 * A table as the database's catalog describes it.
 *
 * @param table its name in the configuration and in events
 * @param sqlName its present name, as SQL text
 * @param relation its oid
 * @param partitioned whether it is the root of partitions
 * @param owned whether our role may install triggers
 * @param columns in table order
 * @param key the key columns, in key order
 * @param keyIndexed whether an index delivers the key's order
 * @param warnings what works less well than it could, as sentences
 */
record InspectedTable(
    TableId table,
    String sqlName,
    long relation,
    boolean partitioned,
    boolean owned,
    List<CatalogColumn> columns,
    List<String> key,
    boolean keyIndexed,
    List<String> warnings) {
  InspectedTable {
    columns = List.copyOf(columns);
    key = List.copyOf(key);
    warnings = List.copyOf(warnings);
  }

  List<Column> plainColumns() {
    return columns.stream().map(CatalogColumn::column).toList();
  }

  CatalogColumn column(String name) {
    for (CatalogColumn column : columns) {
      if (column.column().name().equals(name)) {
        return column;
      }
    }
    throw new IllegalArgumentException(table + "." + name + ": no such column");
  }

  /**
   * Whether pages in key order are cheap, and mean the same to {@code ORDER BY} and to {@code >}.
   */
  boolean pageable() {
    return keyIndexed && key.stream().allMatch(name -> column(name).builtin());
  }
}
