package dev.rowcast.connectors.postgres;

import dev.rowcast.config.TableConfig.NotifyMode;
import dev.rowcast.event.TableId;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Set;
import java.util.TreeSet;
import org.postgresql.PGConnection;

/**
 * Waits for something to read. A notification only says that it may be worth looking, whoever sent
 * it; where no trigger notifies, we look every few milliseconds. Used by the task's thread only.
 */
final class Wake {
  /** How long a wake that got lost may go unnoticed. */
  private static final int SAFETY_NET_MILLIS = 500;

  private static final long QUIET_NANOS = 2_000_000_000;
  private static final int QUIET_POLL_MILLIS = 10;

  private final Connection connection;
  private final CapturedTables tables;
  private final boolean triggersNotify;
  private final int pollMillis;
  private final PGConnection notifications;

  Wake(Connection connection, PostgresSettings settings, CapturedTables tables)
      throws SQLException {
    this.connection = connection;
    this.tables = tables;
    this.notifications = connection.unwrap(PGConnection.class);
    this.pollMillis = settings.pollIntervalMillis();
    boolean allNotify = true;
    Set<String> channels = new TreeSet<>();
    for (CapturedTable table : tables.all()) {
      TableId id = table.descriptor().table();
      NotifyMode mode = tables.notifyBy(id);
      allNotify &= mode == NotifyMode.TRIGGER;
      if (mode != NotifyMode.READER) { // those we would only send to ourselves
        channels.add(CaptureFunction.channel(id.name()));
      }
    }
    this.triggersNotify = allNotify;
    Sql.execute(connection, "UNLISTEN *");
    for (String channel : channels) {
      Sql.execute(connection, "LISTEN " + Sql.identifier(channel));
    }
  }

  /**
   * Returns when something may have happened, after half a second at the latest.
   *
   * @param quietNanos how long nothing was found; where we poll, a quiet source is asked less often
   */
  void await(long quietNanos) throws SQLException {
    int millis =
        triggersNotify
            ? SAFETY_NET_MILLIS
            : quietNanos < QUIET_NANOS ? pollMillis : Math.max(pollMillis, QUIET_POLL_MILLIS);
    notifications.getNotifications(millis);
  }

  /** Wakes those who listen for tables whose triggers don't. */
  void notifyReaders(Set<CapturedTable> touched) throws SQLException {
    for (CapturedTable table : touched) {
      TableId id = table.descriptor().table();
      if (tables.notifyBy(id) == NotifyMode.READER) {
        try (PreparedStatement notify = connection.prepareStatement("SELECT pg_notify(?, ?)")) {
          notify.setString(1, CaptureFunction.channel(id.name()));
          notify.setString(2, id.toString());
          notify.execute();
        }
      }
    }
  }
}
