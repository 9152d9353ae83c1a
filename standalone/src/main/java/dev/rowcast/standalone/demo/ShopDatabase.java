package dev.rowcast.standalone.demo;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** The demo's database {@code shop}: created where it is missing, kept where it is there. */
final class ShopDatabase {
  static final String NAME = "shop";

  private ShopDatabase() {}

  /**
   * Brings the database to the demo's tables.
   *
   * @param maintenanceUrl a JDBC URL, credentials included, of another database of the same server
   * @param shopUrl the same for {@code shop}
   */
  static void prepare(String maintenanceUrl, String shopUrl) throws SQLException {
    try (Connection connection = DriverManager.getConnection(maintenanceUrl);
        Statement statement = connection.createStatement()) {
      boolean missing;
      try (ResultSet found =
          statement.executeQuery("SELECT FROM pg_database WHERE datname = '" + NAME + "'")) {
        missing = !found.next();
      }
      if (missing) {
        statement.execute("CREATE DATABASE " + NAME);
      }
    }
    try (Connection connection = DriverManager.getConnection(shopUrl);
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
