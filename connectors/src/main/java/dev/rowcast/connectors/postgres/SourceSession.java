package dev.rowcast.connectors.postgres;

import dev.rowcast.connectors.postgres.OutboxPosition.Identity;
import dev.rowcast.connectors.postgres.TableProgress.State;
import dev.rowcast.source.SourceStatus;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One connection to the database, from its opening to its loss: what each poll of the task does.
 *
 * <p>Everything that was handed over by an earlier poll has been committed when the next one comes
 * ({@code transaction.boundary=poll}). Used by the task's thread only, but for {@link #close()}.
 */
final class SourceSession implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(SourceSession.class);

  private final PostgresSettings settings;
  private final Progress progress;
  private final Connection connection;
  private final CapturedTables tables;
  private final TableSync sync;
  private final Translator translator;
  private @Nullable OutboxReader reader;
  private @Nullable Wake wake;
  private @Nullable OutboxKeeper keeper;
  private @Nullable Instant lastEvent;
  private String known = "";
  private long lastFound = System.nanoTime();
  private boolean opened;
  private boolean leavingDrained;

  private SourceSession(PostgresSettings settings, Progress progress, Connection connection)
      throws SQLException {
    this.settings = settings;
    this.progress = progress;
    this.connection = connection;
    this.tables = new CapturedTables(connection, settings, progress);
    this.translator = new Translator(tables, progress);
    this.sync = new TableSync(connection, settings, progress);
  }

  /**
   * Connects.
   *
   * @throws CaptureException if the server can't be captured at all
   */
  static SourceSession open(PostgresSettings settings, Progress progress)
      throws SQLException, CaptureException {
    Connection connection = Database.open(settings, "source");
    try {
      Database.check(connection);
      return new SourceSession(settings, progress, connection);
    } catch (SQLException | CaptureException | RuntimeException e) {
      connection.close();
      throw e;
    }
  }

  /** The next records: empty where nothing happened for a while. */
  Batch poll() throws SQLException, CaptureException, InterruptedException {
    Batch batch = new Batch(settings, progress);
    OutboxReader outbox = reader;
    if (!opened) {
      start(batch);
      opened = true;
    } else if (outbox == null) {
      Thread.sleep(settings.checkIntervalMillis() / 10); // nothing is captured
    } else if (!outbox.drained()) {
      stream(outbox, batch);
    } else if (inSnapshot()) {
      compareTables(batch);
    } else if (!tables.in(State.RESYNC).isEmpty() || !unpageable().isEmpty()) {
      beginSnapshot();
      stream(outbox, batch);
    } else if (!tables.in(State.SNAPSHOT).isEmpty()) {
      beginSnapshot();
      stream(outbox, batch);
      List<CapturedTable> waiting =
          tables.in(State.SNAPSHOT); // less what is to be compared instead
      if (outbox.drained() && !waiting.isEmpty()) {
        sync.page(waiting.get(0), batch);
      }
      endSnapshot();
    } else {
      follow(outbox, batch);
    }
    return batch;
  }

  private void start(Batch batch) throws SQLException, CaptureException {
    tables.installOutbox();
    if (!tables.installed()) {
      return;
    }
    OutboxPosition position = startPosition();
    progress.position(position);
    refresh(batch);
    reader =
        new OutboxReader(connection, position, settings.pollMaxRows(), settings.pollMaxBytes());
    keeper = new OutboxKeeper(settings);
  }

  /** Brings tables and triggers to what they should be, and listens for all of them. */
  private void refresh(Batch batch) throws SQLException {
    known = Fingerprint.of(connection, settings.tables()); // first: a change meanwhile shows later
    tables.refresh(batch);
    wake = new Wake(connection, settings, tables);
  }

  private OutboxPosition startPosition() throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(Sql.IDENTITY)) {
      row.next();
      Identity identity =
          new Identity(
              row.getString("system"),
              row.getString("timeline"),
              row.getLong("database"),
              row.getString("epoch"));
      OutboxPosition position = progress.position();
      if (position == null) {
        return OutboxPosition.after(identity, row.getString("started"));
      }
      if (position.outbox().equals(identity) && !ahead(position)) {
        return position;
      }
      LOG.warn(
          "source {}: the position is of {}, the database is {}: tables are compared with what"
              + " Kafka has",
          settings.sourceId(),
          position.outbox(),
          identity);
      progress.distrustTables(settings.tables());
      return OutboxPosition.after(identity, row.getString("now"));
    }
  }

  /** Whether the position lies in the future: a copy of the cluster's files was put back. */
  private boolean ahead(OutboxPosition position) throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement(
            "SELECT pg_snapshot_xmax(?::pg_snapshot) > pg_snapshot_xmax(pg_current_snapshot())")) {
      statement.setString(1, position.previous());
      try (ResultSet row = statement.executeQuery()) {
        row.next();
        return row.getBoolean(1);
      }
    }
  }

  private void follow(OutboxReader outbox, Batch batch) throws SQLException, InterruptedException {
    if (tables.someLeave() && leavingDrained) {
      tables.forgetLeaving();
      if (!tables.installed()) {
        reader = null;
        return;
      }
    }
    OutboxKeeper keeping = keeper;
    if (keeping != null
        && !keeping.fingerprint().equals(known)
        && !keeping.fingerprint().isEmpty()) {
      refresh(batch);
    }
    if (batch.isEmpty() && wake != null) {
      wake.await(System.nanoTime() - lastFound);
    }
    leavingDrained = tables.someLeave();
    stream(outbox, batch);
  }

  /** Reads what is there and turns it into records. */
  private void stream(OutboxReader outbox, Batch batch) throws SQLException {
    List<OutboxRow> rows = outbox.next();
    progress.position(outbox.position());
    if (rows.isEmpty()) {
      return;
    }
    lastFound = System.nanoTime();
    lastEvent = rows.get(rows.size() - 1).occurred();
    Set<CapturedTable> touched = translator.translate(rows, outbox.position().toOffset(), batch);
    if (wake != null) {
      wake.notifyReaders(touched);
    }
    outbox.readAhead();
  }

  private List<CapturedTable> unpageable() {
    return tables.in(State.SNAPSHOT).stream().filter(t -> !t.inspected().pageable()).toList();
  }

  private void compareTables(Batch batch) throws SQLException {
    while (batch.isEmpty()) {
      if (!sync.comparing()) {
        List<CapturedTable> waiting = tables.in(State.RESYNC);
        if (waiting.isEmpty()) {
          waiting = unpageable();
        }
        if (waiting.isEmpty()) {
          endSnapshot();
          return;
        }
        sync.compare(waiting.get(0));
      }
      sync.step(batch);
    }
  }

  private boolean inSnapshot() throws SQLException {
    return !connection.getAutoCommit();
  }

  private void beginSnapshot() throws SQLException {
    connection.setAutoCommit(false);
    Sql.execute(connection, "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY");
  }

  private void endSnapshot() throws SQLException {
    connection.commit();
    connection.setAutoCommit(true);
  }

  /** That Kafka has everything up to a position: the outbox needs it no longer. */
  void acknowledged(OutboxPosition position) {
    OutboxKeeper keeping = keeper;
    if (keeping != null) {
      keeping.acknowledged(position);
    }
  }

  /** How the source fares now. */
  SourceStatus status() {
    String failure = tables.failure();
    boolean snapshotting =
        !tables.in(State.SNAPSHOT).isEmpty() || !tables.in(State.RESYNC).isEmpty();
    SourceStatus.State state =
        !opened
            ? SourceStatus.State.STARTING
            : failure != null && tables.all().isEmpty()
                ? SourceStatus.State.FAILED
                : snapshotting ? SourceStatus.State.SNAPSHOTTING : SourceStatus.State.STREAMING;
    OutboxKeeper keeping = keeper;
    OutboxKeeper.Lag lag = keeping == null ? OutboxKeeper.Lag.NONE : keeping.lag();
    return new SourceStatus(
        settings.sourceId(), state, failure, lag.events(), lag.millis(), lastEvent, Instant.now());
  }

  @Override
  public void close() throws SQLException {
    if (keeper != null) {
      keeper.close();
    }
    try (connection) {
      if (reader != null) {
        reader.close();
      }
    }
  }
}
