package dev.rowcast.connectors.postgres;

import dev.rowcast.connectors.postgres.TableProgress.State;
import dev.rowcast.event.JsonObject;
import dev.rowcast.event.MalformedRowException;
import dev.rowcast.event.Op;
import dev.rowcast.event.RowChange;
import dev.rowcast.event.TableId;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.connect.errors.ConnectException;
import org.jspecify.annotations.Nullable;

/**
 * Brings the present rows of tables to {@code rows}. The caller sees to it that each step happens
 * in the snapshot that the outbox has been read up to, events first: what a step tells is then
 * neither older nor newer than the stream. Used by the task's thread only.
 */
final class TableSync implements AutoCloseable {
  private final Connection connection;
  private final PostgresSettings settings;
  private final Progress progress;
  private @Nullable CapturedTable table;
  private @Nullable TableComparison comparison;

  TableSync(Connection connection, PostgresSettings settings, Progress progress) {
    this.connection = connection;
    this.settings = settings;
    this.progress = progress;
  }

  /** The next page of a table that is pageable: rows without events. */
  void page(CapturedTable table, Batch batch) throws SQLException {
    TableId id = table.descriptor().table();
    TableProgress reached = progress.table(id);
    List<String> after = reached == null ? null : reached.after();
    TableRows.Page page =
        TableRows.page(connection, table.inspected(), after, settings.pollMaxRows());
    boolean last = page.rows().size() < settings.pollMaxRows();
    long relation = table.inspected().relation();
    TableProgress next =
        last
            ? TableProgress.of(State.DONE, relation)
            : new TableProgress(State.SNAPSHOT, relation, page.last());
    Instant now = Instant.now();
    Map<String, Object> offset = next.toOffset();
    for (byte[] json : page.rows()) {
      batch.row(row(table, json, now), offset);
    }
    progress.table(id, next);
    if (last) {
      batch.table(table.descriptor(), next);
    }
  }

  private static RowChange row(CapturedTable table, byte[] json, Instant now) {
    try {
      JsonObject row = table.encode(json);
      if (row == null) {
        throw new IllegalArgumentException("a row that is null");
      }
      return new RowChange(
          table.descriptor().table(), Op.INSERT, now, table.key(row), row, null, null);
    } catch (MalformedRowException e) {
      throw new ConnectException(table.descriptor().table() + ": " + e.getMessage(), e);
    }
  }

  /**
   * Starts to compare a table with what Kafka has of it; one that was never taken is taken without
   * events.
   */
  void compare(CapturedTable table) throws SQLException {
    this.table = table;
    TableId id = table.descriptor().table();
    TableRows present = TableRows.all(connection, table.inspected(), settings.pollMaxRows());
    comparison =
        new TableComparison(
            table, present, silent() ? new HashMap<>() : KnownRows.read(settings, id));
  }

  /** Whether a comparison is under way. */
  boolean comparing() {
    return comparison != null;
  }

  private boolean silent() {
    TableProgress reached = table == null ? null : progress.table(table.descriptor().table());
    return reached != null && reached.state() == State.SNAPSHOT;
  }

  /** The next differences, as many as go into one batch. */
  void step(Batch batch) throws SQLException {
    CapturedTable comparing = table;
    TableComparison differences = comparison;
    if (comparing == null || differences == null) {
      return;
    }
    TableId id = comparing.descriptor().table();
    boolean silent = silent();
    TableProgress reached = progress.table(id);
    Map<String, Object> offset = reached == null ? Map.of() : reached.toOffset();
    try {
      for (int i = 0; i < settings.pollMaxRows(); i++) {
        RowChange change = differences.next();
        if (change == null) {
          close();
          batch.table(
              comparing.descriptor(),
              TableProgress.of(State.DONE, comparing.inspected().relation()));
          return;
        }
        if (silent) {
          batch.row(change, offset);
        } else {
          batch.change(change, progress.tablePartition(id), offset);
        }
      }
    } catch (MalformedRowException e) {
      throw new ConnectException(id + ": " + e.getMessage(), e);
    }
  }

  @Override
  public void close() throws SQLException {
    if (comparison != null) {
      comparison.close();
      comparison = null;
      table = null;
    }
  }
}
