package dev.rowcast.standalone.oracle;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.DecimalNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/**
 * A writer of random transactions that writes down what it has committed. Before it touches a key
 * it takes the key's advisory lock until the end of the transaction and then a number from a
 * sequence, so that the numbers of one key are in the order of its commits.
 */
final class Writer implements Callable<Integer> {
  static final List<String> TENANTS = List.of("a", "b", "c");
  private static final int KEYS = 60;
  private static final String DEADLOCK = "40P01";

  private final Connection connection;
  private final SplittableRandom random;
  private final Queue<Change> committed;
  private final long untilNanos;

  Writer(Connection connection, long seed, Queue<Change> committed, long untilNanos) {
    this.connection = connection;
    this.random = new SplittableRandom(seed);
    this.committed = committed;
    this.untilNanos = untilNanos;
  }

  /** The number of transactions that were committed. */
  @Override
  public Integer call() throws SQLException, InterruptedException {
    connection.setAutoCommit(false);
    int transactions = 0;
    while (System.nanoTime() < untilNanos) {
      try {
        transactions += transaction() ? 1 : 0;
      } catch (SQLException e) {
        connection.rollback();
        if (!DEADLOCK.equals(e.getSQLState())) {
          throw e;
        }
      }
    }
    return transactions;
  }

  private boolean transaction() throws SQLException {
    List<Change> changes = new ArrayList<>();
    int statements = random.nextInt(20) == 0 ? 40 : 1 + random.nextInt(4);
    for (int i = 0; i < statements; i++) {
      if (random.nextInt(8) == 0) {
        nested(changes);
      } else {
        statement(changes);
      }
    }
    if (random.nextInt(30) == 0) {
      pause(); // a long transaction, with everybody else's commits overtaking it
    }
    if (random.nextInt(6) == 0) {
      connection.rollback();
      return false;
    }
    connection.commit();
    committed.addAll(changes);
    return true;
  }

  private void nested(List<Change> changes) throws SQLException {
    Savepoint savepoint = connection.setSavepoint();
    int before = changes.size();
    statement(changes);
    if (random.nextBoolean()) {
      connection.rollback(savepoint);
      changes.subList(before, changes.size()).clear();
    } else {
      connection.releaseSavepoint(savepoint);
    }
  }

  private void statement(List<Change> changes) throws SQLException {
    int id = random.nextInt(KEYS);
    switch (random.nextInt(10)) {
      case 0, 1, 2 -> insert(id, changes);
      case 3, 4, 5, 6 -> update("id = " + lock(id), changes);
      case 7 -> delete(id, changes);
      case 8 -> changeKey(id, random.nextInt(KEYS), changes);
      default -> bulk(id, changes);
    }
  }

  private void insert(int id, List<Change> changes) throws SQLException {
    lock(id);
    try (PreparedStatement insert =
        connection.prepareStatement(
            "INSERT INTO items (id, tenant, amount, doc, note, at) VALUES (?, ?, ?, ?::jsonb, ?, now())"
                + " ON CONFLICT DO NOTHING RETURNING *")) {
      insert.setInt(1, id);
      insert.setString(2, tenant());
      insert.setBigDecimal(3, amount());
      insert.setString(4, doc());
      insert.setString(5, note());
      rows(insert, "insert", changes);
    }
  }

  private void update(String where, List<Change> changes) throws SQLException {
    String set =
        switch (random.nextInt(5)) {
          case 0 -> "tenant = '" + tenant() + "'";
          case 1 -> "amount = amount + 0.01";
          case 2 -> "doc = '" + doc() + "'::jsonb";
          case 3 -> "note = note"; // an update that changes nothing is an update all the same
          default -> "note = md5(note || id), at = clock_timestamp()";
        };
    try (PreparedStatement update =
        connection.prepareStatement(
            "UPDATE items SET " + set + " WHERE " + where + " RETURNING *")) {
      rows(update, "update", changes);
    }
  }

  private void bulk(int from, List<Change> changes) throws SQLException {
    int to = Math.min(KEYS - 1, from + 5);
    for (int id = from; id <= to; id++) {
      lock(id);
    }
    update("id BETWEEN " + from + " AND " + to, changes);
  }

  private void delete(int id, List<Change> changes) throws SQLException {
    lock(id);
    try (PreparedStatement delete =
        connection.prepareStatement("DELETE FROM items WHERE id = " + id + " RETURNING *")) {
      rows(delete, "delete", changes);
    }
  }

  private void changeKey(int from, int to, List<Change> changes) throws SQLException {
    lock(Math.min(from, to));
    lock(Math.max(from, to));
    try (PreparedStatement update =
        connection.prepareStatement(
            "UPDATE items SET id = "
                + to
                + " WHERE id = "
                + from
                + " AND NOT EXISTS (SELECT FROM items WHERE id = "
                + to
                + ") RETURNING *")) {
      List<Change> moved = new ArrayList<>();
      rows(update, "insert", moved);
      for (Change insert : moved) {
        changes.add(new Change("items", key(from), "delete", null, order()));
        changes.add(insert);
      }
    }
  }

  /** Waits for the key until the end of the transaction; answers the key. */
  private int lock(int id) throws SQLException {
    try (Statement lock = connection.createStatement()) {
      lock.execute("SELECT pg_advisory_xact_lock(" + (1000 + id) + ")");
    }
    return id;
  }

  private long order() throws SQLException {
    try (Statement next = connection.createStatement();
        ResultSet row = next.executeQuery("SELECT nextval('change_order')")) {
      row.next();
      return row.getLong(1);
    }
  }

  private void rows(PreparedStatement statement, String op, List<Change> changes)
      throws SQLException {
    List<ObjectNode> rows = new ArrayList<>();
    try (ResultSet result = statement.executeQuery()) {
      while (result.next()) {
        rows.add(row(result));
      }
    }
    for (ObjectNode row : rows) {
      boolean delete = op.equals("delete");
      changes.add(
          new Change("items", key(row.get("id").intValue()), op, delete ? null : row, order()));
    }
  }

  private static ObjectNode row(ResultSet result) throws SQLException {
    ObjectNode row = Model.JSON.createObjectNode();
    row.put("id", result.getInt("id"));
    row.put("tenant", result.getString("tenant"));
    BigDecimal amount = result.getBigDecimal("amount");
    row.set("amount", amount == null ? null : DecimalNode.valueOf(amount));
    row.set("doc", parse(result.getString("doc")));
    row.put("note", result.getString("note"));
    return row;
  }

  private static @Nullable JsonNode parse(@Nullable String json) {
    try {
      return json == null ? null : Model.JSON.readTree(json);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }

  private static JsonNode key(int id) {
    return Model.JSON.createObjectNode().put("id", id);
  }

  private String tenant() {
    return TENANTS.get(random.nextInt(TENANTS.size()));
  }

  private @Nullable BigDecimal amount() {
    return random.nextInt(10) == 0 ? null : BigDecimal.valueOf(random.nextInt(100_000), 2);
  }

  private String doc() {
    return switch (random.nextInt(4)) {
      case 0 -> "{\"a\": [1, 2.50, null], \"b\": {\"c\": \"line\\nbreak\"}}";
      case 1 -> "[]";
      case 2 -> "\"text\"";
      default -> "{\"n\": " + random.nextInt() + "}";
    };
  }

  private String note() {
    return switch (random.nextInt(5)) {
      case 0 -> "";
      case 1 -> "a\r\nb\u2028 \"quoted\" \\ \ud83d\ude80";
      case 2 -> "x".repeat(9_000); // above what NOTIFY could carry
      default -> "note " + random.nextInt();
    };
  }

  private void pause() throws SQLException {
    try (Statement sleep = connection.createStatement()) {
      sleep.execute("SELECT pg_sleep(0.3)"); // the database's clock, not the test's synchronisation
    }
  }
}
