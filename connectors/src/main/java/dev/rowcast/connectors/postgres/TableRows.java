package dev.rowcast.connectors.postgres;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/** Reads a table's present rows, in pages by key or all through one cursor. */
final class TableRows implements AutoCloseable {
  private final PreparedStatement statement;
  private final ResultSet cursor;

  private TableRows(PreparedStatement statement, ResultSet cursor) {
    this.statement = statement;
    this.cursor = cursor;
  }

  /**
   * A page of rows.
   *
   * @param rows as JSON
   * @param last the key of the last of them as text; null where there is none
   */
  record Page(List<byte[]> rows, @Nullable List<String> last) {}

  /** The {@code limit} rows that follow a key; the table must be pageable. */
  static Page page(
      Connection connection, InspectedTable table, @Nullable List<String> after, int limit)
      throws SQLException {
    StringJoiner columns = new StringJoiner(", ");
    StringJoiner texts = new StringJoiner(", ");
    StringJoiner values = new StringJoiner(", ");
    for (String name : table.key()) {
      columns.add("t." + Sql.identifier(name));
      texts.add("t." + Sql.identifier(name) + "::text");
      values.add("?::text::" + table.column(name).typeName());
    }
    String sql =
        "SELECT row_to_json(t.*)::text, %s FROM %s t %s ORDER BY %s LIMIT %d"
            .formatted(
                texts,
                table.sqlName(),
                after == null ? "" : "WHERE (" + columns + ") > (" + values + ")",
                columns,
                limit);
    try (PreparedStatement page = connection.prepareStatement(sql)) {
      for (int i = 0; after != null && i < after.size(); i++) {
        page.setString(i + 1, after.get(i));
      }
      try (ResultSet row = page.executeQuery()) {
        List<byte[]> rows = new ArrayList<>();
        List<String> last = null;
        while (row.next()) {
          rows.add(row.getBytes(1));
          last = new ArrayList<>();
          for (int i = 0; i < table.key().size(); i++) {
            last.add(row.getString(i + 2));
          }
        }
        return new Page(rows, last);
      }
    }
  }

  /** All rows; the connection must be in a transaction and stay in it. */
  static TableRows all(Connection connection, InspectedTable table, int fetchSize)
      throws SQLException {
    PreparedStatement statement =
        connection.prepareStatement("SELECT row_to_json(t.*)::text FROM " + table.sqlName() + " t");
    statement.setFetchSize(fetchSize);
    return new TableRows(statement, statement.executeQuery());
  }

  /** The next row as JSON; null after the last. */
  byte @Nullable [] next() throws SQLException {
    return cursor.next() ? cursor.getBytes(1) : null;
  }

  @Override
  public void close() throws SQLException {
    statement.close();
  }
}
