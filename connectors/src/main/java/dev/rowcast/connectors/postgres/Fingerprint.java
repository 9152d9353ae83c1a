package dev.rowcast.connectors.postgres;

import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;

/** What the database's catalog says of tables and their triggers, in one text to compare. */
final class Fingerprint {
  private Fingerprint() {}

  static String of(Connection connection, List<TableSetting> tables) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(Sql.FINGERPRINT)) {
      statement.setArray(
          1, names(connection, tables.stream().map(t -> t.table().schema()).toList()));
      statement.setArray(2, names(connection, tables.stream().map(t -> t.table().name()).toList()));
      try (ResultSet row = statement.executeQuery()) {
        row.next();
        return row.getString(1);
      }
    }
  }

  private static Array names(Connection connection, List<String> names) throws SQLException {
    return connection.createArrayOf("text", names.toArray());
  }
}
