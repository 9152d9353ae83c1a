package dev.rowcast.connectors.postgres;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the outbox small: takes out, on a thread and a connection of its own, the rows that Kafka
 * has acknowledged, and counts those that it hasn't. Thread-safe.
 */
final class OutboxKeeper implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(OutboxKeeper.class);

  private static final String LAG =
      """
      SELECT count(*), coalesce(extract(epoch FROM clock_timestamp() - min(occurred)) * 1000, 0)::bigint
      FROM rowcast.outbox
      WHERE txid >= pg_snapshot_xmax(?::pg_snapshot)
         OR txid = ANY (ARRAY(SELECT pg_snapshot_xip(?::pg_snapshot)))
      """;

  /**
   * What is not yet in Kafka.
   *
   * @param events how many changes; -1 where not known
   * @param millis the age of the oldest
   */
  record Lag(long events, long millis) {
    static final Lag NONE = new Lag(-1, -1);
  }

  private final PostgresSettings settings;
  private final ScheduledExecutorService thread;
  private volatile @Nullable String acknowledged;
  private volatile Lag lag = Lag.NONE;
  private volatile String fingerprint = "";
  private @Nullable Connection connection; // of the thread
  private @Nullable OutboxTrimmer trimmer; // of the thread, over the connection
  private @Nullable String trimmed; // of the thread

  OutboxKeeper(PostgresSettings settings) {
    this.settings = settings;
    this.thread =
        Executors.newSingleThreadScheduledExecutor(
            task -> {
              Thread created = new Thread(task, "rowcast-outbox-" + settings.sourceId());
              created.setDaemon(true);
              return created;
            });
    long interval = settings.trimIntervalMillis();
    var trimming =
        thread.scheduleWithFixedDelay(
            () -> work(this::trimAndCount), interval, interval, TimeUnit.MILLISECONDS);
    long look = settings.checkIntervalMillis();
    var looking =
        thread.scheduleWithFixedDelay(
            () -> work(c -> fingerprint = Fingerprint.of(c, settings.tables())),
            look,
            look,
            TimeUnit.MILLISECONDS);
    LOG.debug("{} {}", trimming, looking);
  }

  void acknowledged(OutboxPosition position) {
    acknowledged = position.previous();
  }

  Lag lag() {
    return lag;
  }

  /** What the catalog looked like last; empty before the first look. */
  String fingerprint() {
    return fingerprint;
  }

  /** Something to do with the connection. */
  private interface Work {
    void run(Connection connection) throws SQLException;
  }

  private void work(Work work) {
    try {
      Connection open = connection;
      if (open == null || open.isClosed()) {
        open = Database.open(settings, "keeper");
        Sql.execute(open, "SET synchronous_commit = off"); // what isn't deleted will be again
        connection = open;
        trimmer = new OutboxTrimmer(open);
      }
      work.run(open);
    } catch (SQLException e) {
      LOG.debug("the outbox could not be tended; it will be", e);
      disconnect();
    }
  }

  private void trimAndCount(Connection open) throws SQLException {
    String upTo = acknowledged;
    if (upTo == null) {
      return;
    }
    OutboxTrimmer trimming = trimmer;
    if (trimming != null && !upTo.equals(trimmed)) {
      trimmed = trimming.trim(upTo) ? upTo : null;
    }
    lag = lag(open, upTo);
  }

  private static Lag lag(Connection connection, String upTo) throws SQLException {
    try (PreparedStatement count = connection.prepareStatement(LAG)) {
      count.setString(1, upTo);
      count.setString(2, upTo);
      try (ResultSet row = count.executeQuery()) {
        row.next();
        return new Lag(row.getLong(1), row.getLong(2));
      }
    }
  }

  private void disconnect() {
    Connection open = connection;
    connection = null;
    trimmer = null;
    trimmed = null;
    if (open != null) {
      try {
        open.close();
      } catch (SQLException e) {
        LOG.debug("closing", e);
      }
    }
  }

  @Override
  public void close() {
    thread.execute(this::disconnect);
    thread.shutdown();
  }
}
