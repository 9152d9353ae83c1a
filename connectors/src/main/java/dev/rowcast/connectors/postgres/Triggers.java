package dev.rowcast.connectors.postgres;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The triggers of captured tables.
 *
 * <p>A write that names a partitioned table fires that table's statement triggers, one that names a
 * partition fires the partition's: both have them, and neither write is told twice. TRUNCATE alone
 * fires those of every partition below as well, so only tables with rows of their own have that
 * one.
 */
final class Triggers {
  private static final List<String> WITH_ROWS = List.of("Insert", "Update", "Delete");
  private static final String TRUNCATE = "Truncate";

  private final Connection connection;

  Triggers(Connection connection) {
    this.connection = connection;
  }

  private record Relation(long oid, String sqlName, String name, boolean hasRows) {}

  private record Trigger(String name, String table) {}

  /**
   * Creates what is missing.
   *
   * @return whether anything was
   */
  boolean ensure(int number, InspectedTable table) throws SQLException {
    boolean created = false;
    for (Relation relation : relations(table)) {
      Set<String> present = present(relation.oid, number);
      List<String> events = new ArrayList<>(WITH_ROWS);
      if (relation.hasRows) {
        events.add(TRUNCATE);
      }
      for (String event : events) {
        if (!present.contains(event)) {
          create(number, relation, CaptureFunction.triggerName(relation.name, event), event);
          created = true;
        }
      }
    }
    return created;
  }

  private List<Relation> relations(InspectedTable table) throws SQLException {
    String sql =
        """
        SELECT c.oid, c.oid::regclass::text, c.relname, c.relkind = 'r'
        FROM pg_class c
        WHERE c.oid = ?
           OR c.oid IN (SELECT t.relid FROM pg_partition_tree(?::bigint::oid) t)
        ORDER BY c.oid
        """;
    List<Relation> relations = new ArrayList<>();
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setLong(1, table.relation());
      statement.setLong(2, table.partitioned() ? table.relation() : 0);
      try (ResultSet row = statement.executeQuery()) {
        while (row.next()) {
          relations.add(
              new Relation(row.getLong(1), row.getString(2), row.getString(3), row.getBoolean(4)));
        }
      }
    }
    return relations;
  }

  /** The events for which a relation has a trigger of ours that always fires, by any name. */
  private Set<String> present(long relation, int number) throws SQLException {
    String sql =
        """
        SELECT CASE WHEN t.tgtype & 4 > 0 THEN 'Insert' WHEN t.tgtype & 8 > 0 THEN 'Delete'
          WHEN t.tgtype & 16 > 0 THEN 'Update' ELSE 'Truncate' END
        FROM pg_trigger t
        WHERE t.tgrelid = ? AND NOT t.tgisinternal AND t.tgenabled = 'A'
          AND t.tgfoid = to_regproc(?)
        """;
    Set<String> events = new HashSet<>();
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setLong(1, relation);
      statement.setString(2, "rowcast.capture_" + number);
      try (ResultSet row = statement.executeQuery()) {
        while (row.next()) {
          events.add(row.getString(1));
        }
      }
    }
    return events;
  }

  private void create(int number, Relation relation, String name, String event)
      throws SQLException {
    String trigger = Sql.identifier(name);
    String table = relation.sqlName;
    Sql.execute(connection, "DROP TRIGGER IF EXISTS " + trigger + " ON " + table);
    String when =
        switch (event) {
          case "Insert" -> "AFTER INSERT ON " + table + " REFERENCING NEW TABLE AS rowcast_new";
          case "Delete" -> "AFTER DELETE ON " + table + " REFERENCING OLD TABLE AS rowcast_old";
          case "Update" ->
              "AFTER UPDATE ON "
                  + table
                  + " REFERENCING OLD TABLE AS rowcast_old NEW TABLE AS rowcast_new";
          case TRUNCATE -> "BEFORE TRUNCATE ON " + table;
          default -> throw new IllegalArgumentException(event);
        };
    Sql.execute(
        connection,
        "CREATE TRIGGER %s %s FOR EACH STATEMENT EXECUTE FUNCTION rowcast.capture_%d()"
            .formatted(trigger, when, number));
    Sql.execute(connection, "ALTER TABLE " + table + " ENABLE ALWAYS TRIGGER " + trigger);
  }

  /** Drops every trigger of a captured table, wherever it was renamed to. */
  void drop(int number) throws SQLException {
    String sql =
        """
        SELECT t.tgname, t.tgrelid::regclass::text FROM pg_trigger t
        WHERE NOT t.tgisinternal AND t.tgfoid = to_regproc(?)
        """;
    List<Trigger> triggers = new ArrayList<>();
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setString(1, "rowcast.capture_" + number);
      try (ResultSet row = statement.executeQuery()) {
        while (row.next()) {
          triggers.add(new Trigger(row.getString(1), row.getString(2)));
        }
      }
    }
    for (Trigger trigger : triggers) {
      Sql.execute(
          connection,
          "DROP TRIGGER IF EXISTS " + Sql.identifier(trigger.name) + " ON " + trigger.table);
    }
  }
}
