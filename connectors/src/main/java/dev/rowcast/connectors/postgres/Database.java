package dev.rowcast.connectors.postgres;

import dev.rowcast.problem.ProblemType;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Properties;

/** Opens connections whose values read as those that the triggers write. */
final class Database {
  private static final int OLDEST_VERSION = 130000;

  /** Whatever the role, the database or the driver set: rows look alike, and nothing times out. */
  private static final String SESSION =
      """
      SET search_path = pg_catalog, pg_temp;
      SET TimeZone = 'UTC';
      SET DateStyle = 'ISO, YMD';
      SET IntervalStyle = 'iso_8601';
      SET extra_float_digits = 1;
      SET bytea_output = 'hex';
      SET lc_monetary = 'C';
      SET row_security = off;
      SET statement_timeout = 0;
      SET lock_timeout = 0;
      SET idle_in_transaction_session_timeout = 0;
      SET default_transaction_isolation = 'read committed';
      SET default_transaction_read_only = off;
      SET standard_conforming_strings = on;
      SET jit = off;
      SET work_mem = '64MB';
      """;

  private Database() {}

  static Connection open(PostgresSettings settings, String purpose) throws SQLException {
    Properties properties = new Properties();
    properties.setProperty("user", settings.user());
    properties.setProperty("password", settings.password());
    properties.setProperty("ApplicationName", "rowcast " + settings.sourceId() + " " + purpose);
    properties.setProperty("socketFactory", NoPeekSocketFactory.class.getName());
    properties.setProperty("tcpKeepAlive", "true");
    properties.setProperty("connectTimeout", "10");
    properties.setProperty("loginTimeout", "10");
    properties.setProperty("prepareThreshold", "2");
    Connection connection = DriverManager.getConnection(settings.url(), properties);
    try {
      Sql.execute(connection, SESSION);
      return connection;
    } catch (SQLException e) {
      connection.close();
      throw e;
    }
  }

  /**
   * Makes sure that the server is one that can be captured.
   *
   * @throws CaptureException if it is too old or a standby
   */
  static void check(Connection connection) throws SQLException, CaptureException {
    try (Statement statement = connection.createStatement();
        ResultSet server =
            statement.executeQuery(
                "SELECT current_setting('server_version_num')::int,"
                    + " current_setting('server_version'), pg_is_in_recovery()")) {
      server.next();
      if (server.getInt(1) < OLDEST_VERSION) {
        throw new CaptureException(
            ProblemType.CAPTURE_REFUSED,
            "the server is PostgreSQL " + server.getString(2) + " (expected: 13 or newer)");
      }
      if (server.getBoolean(3)) {
        throw new CaptureException(
            ProblemType.CAPTURE_REFUSED, "the server is a standby (expected: the primary)");
      }
    }
  }
}
