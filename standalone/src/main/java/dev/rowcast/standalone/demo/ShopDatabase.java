package dev.rowcast.standalone.demo;

import dev.rowcast.embedded.EmbeddedPostgreSql;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** The demo's database {@code shop}: created where it is missing, kept where it is there. */
final class ShopDatabase {
  static final String NAME = "shop";

  private ShopDatabase() {}

  /** Makes the tables that are missing; rows only in a database that has no table yet. */
  static void prepare(EmbeddedPostgreSql server) throws SQLException {
    boolean unused = server.createDatabase(NAME);
    try (Connection connection = server.connect(NAME);
        Statement statement = connection.createStatement()) {
      // one transaction: who is killed in between begins anew
      connection.setAutoCommit(false);
      boolean isNew = isEmpty(statement);
      statement.execute(script("shop.sql"));
      if (isNew) {
        statement.execute(script("shop-rows.sql"));
      }
      connection.commit();
    }
  }

  private static boolean isEmpty(Statement statement) throws SQLException {
    try (ResultSet row =
        statement.executeQuery(
            "SELECT NOT EXISTS (SELECT FROM pg_tables WHERE schemaname = 'public')")) {
      row.next();
      return row.getBoolean(1);
    }
  }

  private static String script(String name) {
    try (InputStream sql = ShopDatabase.class.getResourceAsStream(name)) {
      if (sql == null) {
        throw new IllegalStateException(name + " is not in the jar");
      }
      return new String(sql.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
