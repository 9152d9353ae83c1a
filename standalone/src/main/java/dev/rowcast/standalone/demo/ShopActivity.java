package dev.rowcast.standalone.demo;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What goes on in the shop: one change of one row at a time, each in a transaction of its own with
 * a clerk as its actor. One thread at a time.
 */
final class ShopActivity implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ShopActivity.class);

  private static final String ACTOR =
      "SELECT set_config('rowcast.actor', '{\"role\": \"clerk\", \"sub\": \"u-7\"}', true)";

  // Weighted by repetition: most of a shop's day is orders moving on.
  private static final List<String> CHANGES =
      List.of(
          move("new", "paid"),
          move("new", "paid"),
          move("paid", "shipped"),
          move("paid", "shipped"),
          """
          INSERT INTO orders (customer_id, amount, region, note)
          SELECT id, (5 + random() * 495)::numeric(10,2), region, 'phone order'
          FROM customers ORDER BY random() LIMIT 1""",
          """
          INSERT INTO orders (customer_id, amount, region)
          SELECT id, (5 + random() * 495)::numeric(10,2), region
          FROM customers ORDER BY random() LIMIT 1""",
          """
          DELETE FROM orders WHERE id = (
            SELECT id FROM orders WHERE status = 'shipped' ORDER BY updated_at LIMIT 1)""",
          """
          UPDATE orders SET amount = amount + 1.50, updated_at = now()
          WHERE id = (SELECT id FROM orders ORDER BY random() LIMIT 1)""",
          """
          UPDATE customers SET email = format('%s.%s@example.org', lower(split_part(name, ' ', 1)), id)
            || CASE WHEN email LIKE '%.net' THEN '' ELSE '.net' END
          WHERE id = (SELECT id FROM customers ORDER BY random() LIMIT 1)""",
          """
          UPDATE tasks SET done = NOT done
          WHERE id = (SELECT id FROM tasks ORDER BY random() LIMIT 1)""",
          """
          UPDATE tasks SET done = NOT done
          WHERE id = (SELECT id FROM tasks ORDER BY random() LIMIT 1)""");

  private final String url;
  private final RandomGenerator random = RandomGenerator.getDefault();
  private @Nullable Connection connection;

  /**
   * @param url JDBC URL of {@code shop}, credentials included
   */
  ShopActivity(String url) {
    this.url = url;
  }

  /** Changes one row. A database that is away is said once and tried again at the next call. */
  void changeOneRow() {
    try {
      // a change may find no row to change, all orders shipped for instance: then another one does
      for (int attempts = 0; attempts < 20; attempts++) {
        if (change(CHANGES.get(random.nextInt(CHANGES.size()))) > 0) {
          return;
        }
      }
    } catch (SQLException e) {
      LOG.warn("The demo's change failed: {}", e.getMessage());
      close();
    }
  }

  private int change(String sql) throws SQLException {
    Connection open = connection();
    try (Statement actor = open.createStatement();
        PreparedStatement change = open.prepareStatement(sql)) {
      actor.execute(ACTOR);
      int rows = change.executeUpdate();
      open.commit();
      return rows;
    }
  }

  private Connection connection() throws SQLException {
    Connection open = connection;
    if (open == null || open.isClosed()) {
      open = DriverManager.getConnection(url);
      open.setAutoCommit(false);
      connection = open;
    }
    return open;
  }

  private static String move(String from, String to) {
    return """
        UPDATE orders SET status = '%s', updated_at = now()
        WHERE id = (SELECT id FROM orders WHERE status = '%s' ORDER BY random() LIMIT 1)"""
        .formatted(to, from);
  }

  @Override
  public void close() {
    Connection open = connection;
    connection = null;
    if (open != null) {
      try {
        open.close();
      } catch (SQLException e) {
        LOG.debug("Closing the demo's connection failed", e);
      }
    }
  }
}
