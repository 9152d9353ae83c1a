package dev.rowcast.connectors.postgres;

import dev.rowcast.config.TableConfig.NotifyMode;
import dev.rowcast.event.TableId;
import dev.rowcast.problem.ProblemType;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Installs the capture of tables and takes it away again. Every step is a transaction of its own
 * that either is there as a whole or not at all, and may be repeated: what is in place stays.
 *
 * <p>Triggers need a lock that waits for writers and makes others wait behind it: it is asked for
 * briefly and several times.
 */
final class Installer {
  static final int VERSION = 2;
  private static final String LOCK_NOT_AVAILABLE = "55P03";
  private static final int LOCK_ATTEMPTS = 8;
  private static final Logger LOG = LoggerFactory.getLogger(Installer.class);

  private final Connection connection;
  private final String source;

  Installer(Connection connection, String source) {
    this.connection = connection;
    this.source = source;
  }

  /** A step of installing or removing, run in one transaction. */
  private interface Step<T> {
    T run() throws SQLException, CaptureException;
  }

  /** Whether there is an outbox. */
  boolean installed() throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery("SELECT to_regclass('rowcast.installation') IS NOT NULL")) {
      row.next();
      return row.getBoolean(1);
    }
  }

  /**
   * Creates the outbox where there is none; brings one of an earlier version up to date.
   *
   * @throws CaptureException if we may not, or it belongs to another source
   */
  void installOutbox() throws SQLException, CaptureException {
    withLocks(
        () -> {
          // two that install at once would trip over each other
          Sql.execute(connection, "SELECT pg_advisory_xact_lock(hashtextextended('rowcast', 0))");
          if (!installed()) {
            createOutbox();
          }
          if (checkInstallation() == 1) {
            Sql.execute(connection, Sql.UPGRADE_1);
            Sql.execute(connection, Sql.OUTBOX);
            Sql.execute(connection, Sql.UPGRADE_1_ROWS);
            LOG.info("the outbox of source {} was brought to version {}", source, VERSION);
          }
          return true;
        });
  }

  /**
   * Makes sure that the outbox is or can be ours.
   *
   * @throws CaptureException if it is another source's, or we may not create it
   */
  void check() throws SQLException, CaptureException {
    if (installed()) {
      checkInstallation();
      return;
    }
    try (Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery("SELECT has_database_privilege(current_database(), 'CREATE')")) {
      row.next();
      if (!row.getBoolean(1)) {
        throw new CaptureException(
            ProblemType.CAPTURE_REFUSED,
            "no right to create the schema rowcast (expected: CREATE on the database)");
      }
    }
  }

  private void createOutbox() throws SQLException, CaptureException {
    try {
      Sql.execute(connection, Sql.INSTALL);
      Sql.execute(connection, Sql.OUTBOX);
    } catch (SQLException e) {
      throw refused("the schema rowcast can't be created", e);
    }
    try (PreparedStatement insert =
        connection.prepareStatement(
            "INSERT INTO rowcast.installation (version, source) VALUES (?, ?)")) {
      insert.setInt(1, VERSION);
      insert.setString(2, source);
      insert.executeUpdate();
    }
  }

  /** The version of an installation that is ours. */
  private int checkInstallation() throws SQLException, CaptureException {
    try (Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery("SELECT version, source FROM rowcast.installation")) {
      if (!row.next()) {
        throw new CaptureException(
            ProblemType.CAPTURE_REFUSED, "rowcast.installation is empty (expected: one row)");
      }
      if (row.getInt(1) > VERSION) {
        throw new CaptureException(
            ProblemType.CAPTURE_REFUSED,
            "the outbox has version " + row.getInt(1) + " (expected: at most " + VERSION + ")");
      }
      if (!row.getString(2).equals(source)) {
        throw new CaptureException(
            ProblemType.CAPTURE_REFUSED,
            "the database is captured by source '"
                + row.getString(2)
                + "' (expected: one source per database)");
      }
      return row.getInt(1);
    }
  }

  /**
   * Puts the triggers of a table in place, those of all its partitions included. Where the table
   * was registered and triggers were missing, changes may have been made that none saw: then the
   * outbox says that the whole table is to be looked at again.
   *
   * @return the number of the table in the registry
   * @throws CaptureException if we may not
   */
  int install(InspectedTable table, NotifyMode notifyBy) throws SQLException, CaptureException {
    checkOwner(table);
    try {
      return withLocks(() -> installTable(table, notifyBy));
    } catch (SQLException e) {
      if (e.getSQLState() != null && e.getSQLState().startsWith("42")) {
        throw refused("triggers on " + table.table() + " can't be installed", e);
      }
      throw e;
    }
  }

  /**
   * Makes sure that we may install triggers on a table.
   *
   * @throws CaptureException if it isn't ours
   */
  static void checkOwner(InspectedTable table) throws CaptureException {
    if (!table.owned()) {
      throw new CaptureException(
          ProblemType.CAPTURE_REFUSED,
          "no right to install triggers on " + table.table() + ": owner needed");
    }
  }

  private int installTable(InspectedTable table, NotifyMode notifyBy) throws SQLException {
    Registered known = registered().get(table.table());
    boolean moved = known != null && known.relation != table.relation();
    if (known != null && moved) {
      dropTriggers(known);
    }
    int number = known == null ? register(table) : known.number;
    String function = CaptureFunction.create(number, table, notifyBy);
    String definition = CaptureFunction.digest(function);
    if (known == null || moved || !known.definition.equals(definition)) {
      Sql.execute(connection, function);
      Sql.execute(
          connection, "REVOKE ALL ON FUNCTION rowcast.capture_" + number + "() FROM PUBLIC");
      update(number, table.relation(), definition);
    }
    boolean created = new Triggers(connection).ensure(number, table);
    if (known != null && (moved || created)) {
      lookAgain(number);
    }
    return number;
  }

  private void lookAgain(int number) throws SQLException {
    Sql.execute(
        connection,
        "INSERT INTO rowcast.outbox (occurred, captured, depth, op, writer)"
            + " VALUES (clock_timestamp(), "
            + number
            + ", 0, 'r', session_user)");
  }

  private int register(InspectedTable table) throws SQLException {
    try (PreparedStatement insert =
        connection.prepareStatement(
            "INSERT INTO rowcast.captured (schema_name, table_name, relation, definition)"
                + " VALUES (?, ?, ?, '') RETURNING id")) {
      insert.setString(1, table.table().schema());
      insert.setString(2, table.table().name());
      insert.setLong(3, table.relation());
      try (ResultSet row = insert.executeQuery()) {
        row.next();
        return row.getInt(1);
      }
    }
  }

  private void update(int number, long relation, String definition) throws SQLException {
    try (PreparedStatement update =
        connection.prepareStatement(
            "UPDATE rowcast.captured SET relation = ?, definition = ? WHERE id = ?")) {
      update.setLong(1, relation);
      update.setString(2, definition);
      update.setInt(3, number);
      update.executeUpdate();
    }
  }

  /**
   * An entry of the registry.
   *
   * @param number in the outbox's rows
   * @param relation its oid when its triggers were installed
   * @param definition which function it has; empty once its triggers are gone
   */
  record Registered(int number, TableId table, long relation, String definition) {
    boolean triggersGone() {
      return definition.isEmpty();
    }
  }

  /** What is registered, by table. */
  Map<TableId, Registered> registered() throws SQLException {
    Map<TableId, Registered> tables = new HashMap<>();
    try (Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery(
                "SELECT id, schema_name, table_name, relation, definition FROM rowcast.captured")) {
      while (row.next()) {
        TableId table = new TableId(row.getString(2), row.getString(3));
        tables.put(table, new Registered(row.getInt(1), table, row.getLong(4), row.getString(5)));
      }
    }
    return tables;
  }

  /** Takes a table's triggers away; its entry stays until its last rows have been read. */
  void removeTriggers(Registered table) throws SQLException, CaptureException {
    withLocks(
        () -> {
          dropTriggers(table);
          Sql.execute(connection, "DROP FUNCTION IF EXISTS rowcast.capture_" + table.number + "()");
          update(table.number, table.relation, "");
          return true;
        });
  }

  private void dropTriggers(Registered table) throws SQLException {
    new Triggers(connection).drop(table.number);
  }

  /** Forgets tables whose triggers are gone; with the last of all tables the outbox goes too. */
  void forget(List<Registered> tables) throws SQLException, CaptureException {
    inTransaction(
        () -> {
          for (Registered table : tables) {
            Sql.execute(connection, "DELETE FROM rowcast.captured WHERE id = " + table.number);
          }
          if (registered().isEmpty()) {
            Sql.execute(connection, "DROP SCHEMA rowcast CASCADE");
          }
          return true;
        });
  }

  private <T> T withLocks(Step<T> step) throws SQLException, CaptureException {
    List<SQLException> refusals = new ArrayList<>();
    while (true) {
      try {
        return inTransaction(
            () -> {
              Sql.execute(connection, "SET LOCAL lock_timeout = '1s'");
              return step.run();
            });
      } catch (SQLException e) {
        refusals.add(e);
        if (!LOCK_NOT_AVAILABLE.equals(e.getSQLState()) || refusals.size() == LOCK_ATTEMPTS) {
          throw e;
        }
        LOG.info("a lock was not to be had, attempt {}; trying again", refusals.size());
      }
    }
  }

  private <T> T inTransaction(Step<T> step) throws SQLException, CaptureException {
    connection.setAutoCommit(false);
    boolean done = false;
    try {
      T result = step.run();
      connection.commit();
      done = true;
      return result;
    } finally {
      if (!done && !connection.isClosed()) {
        connection.rollback();
      }
      connection.setAutoCommit(true);
    }
  }

  private static CaptureException refused(String what, SQLException e) {
    CaptureException refused =
        new CaptureException(
            ProblemType.CAPTURE_REFUSED, what + " (SQLSTATE " + e.getSQLState() + ")");
    refused.initCause(e);
    return refused;
  }
}
