package dev.rowcast.standalone.demo;

import dev.rowcast.embedded.EmbeddedPostgreSql;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;

/** The demo's database {@code shop}: created where it is missing, kept where it is there. */
final class ShopDatabase {
  static final String NAME = "shop";

  private ShopDatabase() {}

  static void prepare(EmbeddedPostgreSql server) throws SQLException {
    server.createDatabase(NAME);
    try (Connection connection = server.connect(NAME);
        Statement statement = connection.createStatement()) {
      connection.setAutoCommit(false);
      statement.execute(script());
      connection.commit();
    }
  }

  private static String script() {
    try (InputStream sql = ShopDatabase.class.getResourceAsStream("shop.sql")) {
      if (sql == null) {
        throw new IllegalStateException("shop.sql is not in the jar");
      }
      return new String(sql.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
