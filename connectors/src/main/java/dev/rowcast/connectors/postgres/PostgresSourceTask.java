package dev.rowcast.connectors.postgres;

import dev.rowcast.source.SourceStatus;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.connect.source.SourceRecord;
import org.apache.kafka.connect.source.SourceTask;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs a {@link SourceSession} and opens another one when it is lost: a database that restarts or
 * can't be reached is waited for, not died of. Connect calls from one thread, but {@link #stop()}
 * possibly from another.
 */
public final class PostgresSourceTask extends SourceTask {
  private static final Logger LOG = LoggerFactory.getLogger(PostgresSourceTask.class);
  private static final long LONGEST_PAUSE_MILLIS = 5_000;

  private final Object polling = new Object();
  private final CountDownLatch stopping = new CountDownLatch(1);
  private @Nullable PostgresSettings settings;
  private @Nullable Progress progress;
  private @Nullable StatusReporter reporter;
  private @Nullable SourceSession session;
  private @Nullable SourceRecord lastOfBatch;
  private @Nullable OutboxPosition afterBatch;
  private long pauseMillis;

  @Override
  public String version() {
    return PostgresSourceConnector.VERSION;
  }

  @Override
  public void start(Map<String, String> properties) {
    PostgresSettings given = new PostgresSettings(properties);
    settings = given;
    progress = new Progress(given.sourceId(), context.offsetStorageReader());
    reporter = new StatusReporter(given);
  }

  @Override
  public @Nullable List<SourceRecord> poll() throws InterruptedException {
    synchronized (polling) {
      PostgresSettings given = settings;
      Progress reached = progress;
      StatusReporter status = reporter;
      if (stopping.getCount() == 0 || given == null || reached == null || status == null) {
        return null;
      }
      Batch batch;
      reached.begin();
      try {
        SourceSession open = session;
        if (open == null) {
          open = SourceSession.open(given, reached);
          session = open;
        }
        batch = open.poll();
        pauseMillis = 0;
        status.report(open.status(), batch);
      } catch (SQLException | CaptureException e) {
        reached.abandon();
        batch = new Batch(given, reached);
        lost(e, given, batch, status);
      }
      if (batch.isEmpty()) {
        return null;
      }
      lastOfBatch = batch.records().get(batch.records().size() - 1);
      afterBatch = reached.position();
      return batch.records();
    }
  }

  private void lost(Exception e, PostgresSettings given, Batch batch, StatusReporter status)
      throws InterruptedException {
    LOG.warn("source {}: {}; trying again", given.sourceId(), e.getMessage());
    LOG.debug("the reason", e);
    closeSession();
    status.report(
        new SourceStatus(
            given.sourceId(), SourceStatus.State.FAILED, reason(e), -1, -1, null, Instant.now()),
        batch);
    pauseMillis = Math.min(LONGEST_PAUSE_MILLIS, Math.max(100, pauseMillis * 2));
    if (stopping.await(pauseMillis, TimeUnit.MILLISECONDS)) {
      LOG.debug("stopping");
    }
  }

  private static String reason(Exception e) {
    if (e instanceof CaptureException) {
      return e.getMessage();
    }
    String state = e instanceof SQLException sql ? sql.getSQLState() : null;
    return state == null || state.startsWith("08") || state.startsWith("57")
        ? "the database can't be reached; trying again"
        : "the database refused a statement, SQLSTATE " + state + "; trying again";
  }

  @Override
  @SuppressWarnings("ReferenceEquality") // the very record that we handed over
  public void commitRecord(SourceRecord record, @Nullable RecordMetadata metadata) {
    SourceSession open = session;
    OutboxPosition position = afterBatch;
    if (record == lastOfBatch && open != null && position != null) {
      open.acknowledged(position);
    }
  }

  @Override
  public void stop() {
    stopping.countDown();
    synchronized (polling) {
      closeSession();
    }
  }

  private void closeSession() {
    SourceSession open = session;
    session = null;
    if (open != null) {
      try {
        open.close();
      } catch (SQLException e) {
        LOG.debug("closing", e);
      }
    }
  }
}
