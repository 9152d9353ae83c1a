package dev.rowcast.connectors.postgres;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;

/** SQL text: the statements that stand beside this class as resources, and quoting. */
final class Sql {
  static final String INSTALL = resource("install.sql");
  static final String OUTBOX = resource("outbox.sql");
  static final String UPGRADE_1 = resource("upgrade-1.sql");
  static final String UPGRADE_1_ROWS = resource("upgrade-1-rows.sql");
  static final String CAPTURE = resource("capture.sql");
  static final String WINDOW = resource("window.sql");
  static final String TABLE = resource("table.sql");
  static final String COLUMNS = resource("columns.sql");
  static final String KEYS = resource("keys.sql");
  static final String TYPE = resource("type.sql");
  static final String FINGERPRINT = resource("fingerprint.sql");
  static final String IDENTITY = resource("identity.sql");

  private Sql() {}

  /** An identifier as SQL text, always quoted: keywords, upper case and quotes included. */
  static String identifier(String name) {
    return '"' + name.replace("\"", "\"\"") + '"';
  }

  /** A string as SQL text that means the same whatever {@code standard_conforming_strings} says. */
  static String literal(String text) {
    String quoted = "'" + text.replace("'", "''").replace("\\", "\\\\") + "'";
    return text.indexOf('\\') < 0 ? quoted : "E" + quoted;
  }

  static void execute(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private static String resource(String name) {
    try (InputStream in = Sql.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new IllegalStateException(name + ": not on the class path");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
