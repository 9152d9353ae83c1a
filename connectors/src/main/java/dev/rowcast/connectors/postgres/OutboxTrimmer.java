package dev.rowcast.connectors.postgres;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes rows that Kafka has out of the outbox. A slot with little in it is trimmed row by row. One
 * that has grown is emptied as a whole once the writers have gone on to the other, which spares the
 * deleting and the vacuum after it.
 *
 * <p>A slot is emptied only under a lock that no writer and no reader holds, and only if nothing is
 * in it that Kafka lacks: which slot a writer chose, by its clock or by an old snapshot, is of no
 * account. Used by one thread.
 */
final class OutboxTrimmer {
  private static final Logger LOG = LoggerFactory.getLogger(OutboxTrimmer.class);
  private static final int SLOTS = 2;
  private static final long GROWN_BYTES = 8 << 20;
  private static final String LOCK_NOT_AVAILABLE = "55P03";

  /** Of each slot: its bytes, whether writers fill it now, whether one of them has it open. */
  private static final String SLOT_STATES =
      """
      SELECT pg_table_size(s.oid),
        s.slot = date_part('epoch', clock_timestamp())::bigint / 4 % 2,
        EXISTS (SELECT 1 FROM pg_locks l
          WHERE l.relation = s.oid AND l.mode = 'RowExclusiveLock' AND l.pid <> pg_backend_pid()
            AND l.database = (SELECT d.oid FROM pg_database d WHERE d.datname = current_database()))
      FROM (VALUES (0, 'rowcast.outbox_0'::regclass), (1, 'rowcast.outbox_1'::regclass)) AS s(slot, oid)
      ORDER BY s.slot
      """;

  /** Visible in the snapshot: committed before it, and so read and acknowledged. */
  private static final String DELETE =
      """
      DELETE FROM rowcast.outbox_%d
      WHERE txid < pg_snapshot_xmax(?::pg_snapshot) AND pg_visible_in_snapshot(txid, ?::pg_snapshot)
      """;

  /** The same, passing over what an earlier snapshot showed: dead entries of the index. */
  private static final String DELETE_MORE =
      DELETE
          + """
      AND (txid >= pg_snapshot_xmax(?::pg_snapshot)
        OR txid = ANY (ARRAY(SELECT pg_snapshot_xip(?::pg_snapshot))))
      """;

  private static final String NEEDED =
      """
      SELECT EXISTS (SELECT 1 FROM rowcast.outbox_%d WHERE txid >= pg_snapshot_xmax(?::pg_snapshot))
        OR EXISTS (SELECT 1 FROM rowcast.outbox_%1$d
          WHERE txid = ANY (ARRAY(SELECT pg_snapshot_xip(?::pg_snapshot))))
      """;

  private final Connection connection;
  private final String[] deleted = new String[SLOTS];

  /**
   * @param connection with auto-commit, for this object alone
   */
  OutboxTrimmer(Connection connection) throws SQLException {
    this.connection = connection;
    // the planner knows nothing of a slot that was empty a moment ago
    Sql.execute(connection, "SET enable_seqscan = off");
  }

  /**
   * Takes out what a {@code pg_snapshot} shows.
   *
   * @return whether all of it; some may have to wait for the next time
   */
  boolean trim(String acknowledged) throws SQLException {
    boolean[] delete = new boolean[SLOTS];
    boolean[] empty = new boolean[SLOTS];
    try (PreparedStatement states = connection.prepareStatement(SLOT_STATES);
        ResultSet row = states.executeQuery()) {
      for (int slot = 0; slot < SLOTS && row.next(); slot++) {
        delete[slot] = row.getLong(1) < GROWN_BYTES;
        empty[slot] = !delete[slot] && !row.getBoolean(2) && !row.getBoolean(3);
      }
    }
    boolean all = true;
    for (int slot = 0; slot < SLOTS; slot++) {
      if (delete[slot]) {
        delete(slot, acknowledged);
      } else {
        all &= empty[slot] && empty(slot, acknowledged);
      }
    }
    return all;
  }

  private void delete(int slot, String acknowledged) throws SQLException {
    String before = deleted[slot];
    String sql = (before == null ? DELETE : DELETE_MORE).formatted(slot);
    try (PreparedStatement delete = connection.prepareStatement(sql)) {
      delete.setString(1, acknowledged);
      delete.setString(2, acknowledged);
      if (before != null) {
        delete.setString(3, before);
        delete.setString(4, before);
      }
      delete.executeUpdate();
    }
    deleted[slot] = acknowledged;
  }

  private boolean empty(int slot, String acknowledged) throws SQLException {
    connection.setAutoCommit(false);
    try {
      // not for long: the reader waits behind us
      Sql.execute(connection, "SET LOCAL lock_timeout = '200ms'");
      Sql.execute(connection, "LOCK TABLE rowcast.outbox_" + slot + " IN ACCESS EXCLUSIVE MODE");
      boolean needed = needed(slot, acknowledged);
      if (!needed) {
        Sql.execute(connection, "TRUNCATE rowcast.outbox_" + slot);
        deleted[slot] = null;
      }
      connection.commit();
      return !needed;
    } catch (SQLException e) {
      connection.rollback();
      if (!LOCK_NOT_AVAILABLE.equals(e.getSQLState())) {
        throw e;
      }
      LOG.debug("slot {} of the outbox is in use; it is emptied later", slot);
      return false;
    } finally {
      connection.setAutoCommit(true);
    }
  }

  private boolean needed(int slot, String acknowledged) throws SQLException {
    try (PreparedStatement needed = connection.prepareStatement(NEEDED.formatted(slot))) {
      needed.setString(1, acknowledged);
      needed.setString(2, acknowledged);
      try (ResultSet row = needed.executeQuery()) {
        row.next();
        return row.getBoolean(1);
      }
    }
  }
}
