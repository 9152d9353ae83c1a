package dev.rowcast.connectors.postgres;

import dev.rowcast.connectors.postgres.ColumnTypes.CatalogColumn;
import dev.rowcast.event.TableId;
import dev.rowcast.problem.ProblemType;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** Looks a table up in the catalog and finds out whether it can be captured. */
final class TableInspector {
  private final Connection connection;

  TableInspector(Connection connection) {
    this.connection = connection;
  }

  /**
   * The table of a setting.
   *
   * @param relation the oid it was captured under; 0 for none. A table that was renamed is found by
   *     it and keeps its name in events
   * @throws CaptureException if there is none, it is no plain or partitioned table, or it has no
   *     usable key
   */
  InspectedTable inspect(TableSetting setting, long relation)
      throws SQLException, CaptureException {
    TableId table = setting.table();
    try (PreparedStatement statement = connection.prepareStatement(Sql.TABLE)) {
      statement.setLong(1, relation);
      for (int i = 2; i < 6; i += 2) {
        statement.setString(i, table.schema());
        statement.setString(i + 1, table.name());
      }
      try (ResultSet row = statement.executeQuery()) {
        if (!row.next()) {
          throw new CaptureException(
              ProblemType.UNKNOWN_TABLE, table + ": no such table (expected: an existing one)");
        }
        String kind = row.getString("relkind");
        if (!kind.equals("r") && !kind.equals("p")) {
          throw new CaptureException(
              ProblemType.CAPTURE_REFUSED,
              table + ": not a table that can have triggers (expected: no view or foreign table)");
        }
        List<String> warnings = warnings(table, row);
        return inspect(setting, row, warnings);
      }
    }
  }

  private static List<String> warnings(TableId table, ResultSet row) throws SQLException {
    List<String> warnings = new ArrayList<>();
    if (row.getBoolean("inherited")) {
      warnings.add(table + ": writes made to a table that inherits from it are not seen");
    }
    if (row.getString("relpersistence").equals("u")) {
      warnings.add(table + ": unlogged; what a crash of the server empties is not told");
    }
    return warnings;
  }

  private InspectedTable inspect(TableSetting setting, ResultSet row, List<String> warnings)
      throws SQLException, CaptureException {
    long relation = row.getLong("oid");
    List<CatalogColumn> columns = new ColumnTypes(connection).columns(relation);
    List<String> key = setting.keyColumns();
    boolean indexed = false;
    for (Key candidate : keys(relation)) {
      if (key.isEmpty() || key.equals(candidate.columns)) {
        key = candidate.columns;
        indexed = true;
        if (candidate.deferrable) {
          warnings.add(
              setting.table()
                  + ": its key is deferrable; a statement that doubles it may be misread");
        }
        break;
      }
    }
    checkKey(setting.table(), key, columns);
    return new InspectedTable(
        setting.table(),
        row.getString("sql_name"),
        relation,
        row.getString("relkind").equals("p"),
        row.getBoolean("owned"),
        columns,
        key,
        indexed,
        warnings);
  }

  private static void checkKey(TableId table, List<String> key, List<CatalogColumn> columns)
      throws CaptureException {
    if (key.isEmpty()) {
      throw new CaptureException(
          ProblemType.NO_USABLE_KEY,
          table
              + ": no usable key (expected: a primary key, a unique index over columns that are not"
              + " null, or key_columns in the configuration)");
    }
    for (String name : key) {
      CatalogColumn column =
          columns.stream().filter(c -> c.column().name().equals(name)).findFirst().orElse(null);
      if (column == null || !column.notNull() || column.equalitySchema() == null) {
        throw new CaptureException(
            ProblemType.NO_USABLE_KEY,
            table
                + ": "
                + name
                + " can't be part of a key (expected: a column of the table, NOT NULL, of a type"
                + " with an order)");
      }
    }
  }

  private record Key(List<String> columns, boolean deferrable) {}

  private List<Key> keys(long relation) throws SQLException {
    List<Key> keys = new ArrayList<>();
    try (PreparedStatement statement = connection.prepareStatement(Sql.KEYS)) {
      statement.setLong(1, relation);
      try (ResultSet row = statement.executeQuery()) {
        while (row.next()) {
          Array columns = row.getArray("columns");
          keys.add(new Key(List.of((String[]) columns.getArray()), row.getBoolean("deferrable")));
        }
      }
    }
    return keys;
  }
}
