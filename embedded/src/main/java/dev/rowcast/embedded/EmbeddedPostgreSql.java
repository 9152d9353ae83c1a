package dev.rowcast.embedded;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * A PostgreSQL 17 server as a child of this process, on 127.0.0.1 only, with its cluster kept in a
 * directory. Writes are as durable as PostgreSQL makes them ({@code fsync} and {@code
 * synchronous_commit} on). The server ends with this process, however that ends: nothing is left
 * running after a kill. Safe for any thread.
 */
public final class EmbeddedPostgreSql implements AutoCloseable {
  private static final String USER = "postgres";

  private final DirectoryLock lock;
  private final PostgreSqlServer server;
  private final int port;
  private final String password;

  private EmbeddedPostgreSql(
      DirectoryLock lock, PostgreSqlServer server, int port, String password) {
    this.lock = lock;
    this.server = server;
    this.port = port;
    this.password = password;
  }

  /**
   * Starts a server on the directory. The cluster is made if need be, and a server that a killed
   * process left behind there is stopped first. Returns once it accepts connections: about a
   * quarter of a second, some seconds at the first time.
   *
   * @throws EmbeddedStartException if the port is taken, the directory can't be written, is in use
   *     or holds another major version's cluster, or there is no PostgreSQL for this machine
   */
  public static EmbeddedPostgreSql start(Path directory, PostgreSqlOptions options) {
    return start(directory, options, Unprivileged.choose());
  }

  static EmbeddedPostgreSql start(
      Path directory, PostgreSqlOptions options, Unprivileged unprivileged) {
    int port = Ports.resolve(options.port(), "PostgreSQL");
    DirectoryLock lock = DirectoryLock.acquire(directory);
    try {
      PostgreSqlPrograms programs = PostgreSqlPrograms.unpacked(options.programs(), unprivileged);
      PostgreSqlCluster cluster = new PostgreSqlCluster(lock.directory(), programs, unprivileged);
      cluster.prepare(USER, options.password(), port, options.settings());
      PostgreSqlServer server = PostgreSqlServer.start(cluster, options.onFatal());
      EmbeddedPostgreSql started = new EmbeddedPostgreSql(lock, server, port, options.password());
      StartedServers.started("PostgreSQL " + started.version());
      return started;
    } catch (RuntimeException e) {
      lock.close();
      throw e;
    }
  }

  /** The port the server listens on. */
  public int port() {
    return port;
  }

  private String version() {
    try (Connection connection = connect("postgres")) {
      return connection.getMetaData().getDatabaseProductVersion();
    } catch (SQLException e) {
      throw new EmbeddedStartException("PostgreSQL started and can't be reached", e);
    }
  }

  /** The superuser's name. */
  public String user() {
    return USER;
  }

  /** The superuser's password. */
  public String password() {
    return password;
  }

  /** The process of the server. */
  public long pid() {
    return server.pid();
  }

  /**
   * A JDBC URL of a database, with user and password in it.
   *
   * @param database its name; not escaped
   */
  public String jdbcUrl(String database) {
    return "jdbc:postgresql://"
        + Ports.HOST
        + ":"
        + port
        + "/"
        + database
        + "?user="
        + USER
        + "&password="
        + URLEncoder.encode(password, StandardCharsets.UTF_8);
  }

  /** A connection of the superuser's to a database. */
  public Connection connect(String database) throws SQLException {
    return DriverManager.getConnection(jdbcUrl(database));
  }

  /**
   * Creates the database unless it is there.
   *
   * @return whether it was created
   */
  public boolean createDatabase(String name) throws SQLException {
    try (Connection connection = connect("postgres");
        PreparedStatement exists =
            connection.prepareStatement("SELECT 1 FROM pg_database WHERE datname = ?");
        Statement create = connection.createStatement()) {
      exists.setString(1, name);
      try (ResultSet row = exists.executeQuery()) {
        if (row.next()) {
          return false;
        }
      }
      create.execute("CREATE DATABASE \"" + name.replace("\"", "\"\"") + "\"");
      return true;
    }
  }

  /**
   * Stops the server and gives its directory up. Sessions are ended, what was committed is kept.
   * Within a few seconds. Idempotent.
   */
  @Override
  public void close() {
    server.close();
    lock.close();
  }
}
