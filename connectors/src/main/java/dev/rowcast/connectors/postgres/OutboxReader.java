package dev.rowcast.connectors.postgres;

import static java.util.Objects.requireNonNull;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/**
 * Reads the outbox window by window: what became visible between two snapshots, transaction by
 * transaction. The first page of a window comes by LIMIT, which suits a wake; a backlog behind it,
 * and the windows after that, through a cursor, so that each is put in order once.
 *
 * <p>Used by the task's thread only, which must leave the connection alone between {@link
 * #readAhead()} and {@link #next()}: a thread of the reader's own uses it then. With auto-commit
 * off the caller's transaction is used, and the windows end with its snapshot.
 */
final class OutboxReader implements AutoCloseable {
  private final Connection connection;
  private final int pageRows;
  private final long pageBytes;
  private final PreparedStatement firstPage;
  private final PreparedStatement backlog;
  private final Deque<OutboxRow> fetched = new ArrayDeque<>();
  private OutboxPosition position;
  private @Nullable ResultSet cursor;
  private final ExecutorService ahead =
      Executors.newSingleThreadExecutor(
          task -> {
            Thread thread = new Thread(task, "rowcast-read-ahead");
            thread.setDaemon(true);
            return thread;
          });
  private @Nullable Future<?> fetching;
  private boolean ownTransaction;
  private boolean windowEnds = true;
  private boolean busy; // the last window was longer than a page
  private long windowRows;
  private @Nullable String windowSnapshot;

  OutboxReader(Connection connection, OutboxPosition position, int pageRows, long pageBytes)
      throws SQLException {
    this.connection = connection;
    this.position = position;
    this.pageRows = pageRows;
    this.pageBytes = pageBytes;
    // plans are kept, also one made while the outbox was empty
    Sql.execute(connection, "SET enable_seqscan = off; SET enable_bitmapscan = off");
    int withoutTransaction = 1;
    this.firstPage =
        connection.prepareStatement(Sql.WINDOW + "LIMIT " + (pageRows + withoutTransaction));
    this.backlog = connection.prepareStatement(Sql.WINDOW);
    this.backlog.setFetchSize(pageRows);
  }

  /** After the last row handed out. */
  OutboxPosition position() {
    return position;
  }

  /** Whether everything visible at the last read has been handed out. */
  boolean drained() {
    return fetching == null && fetched.isEmpty() && windowEnds;
  }

  /**
   * Begins to fetch what comes next, where the window has more, while Kafka takes what was read.
   * Not in the caller's transaction: that may end at any time.
   */
  void readAhead() throws SQLException {
    boolean free = ownTransaction || connection.getAutoCommit();
    if (free && fetching == null && fetched.isEmpty() && !windowEnds) {
      fetching =
          ahead.submit(
              () -> {
                fetch();
                return null;
              });
    }
  }

  /** The next rows; empty where there are none now. */
  List<OutboxRow> next() throws SQLException {
    if (fetching != null) {
      await(fetching);
      fetching = null;
    } else if (fetched.isEmpty()) {
      fetch();
    }
    List<OutboxRow> page = new ArrayList<>(fetched.size());
    long bytes = 0;
    while (!fetched.isEmpty() && (page.isEmpty() || bytes + fetched.peek().size() <= pageBytes)) {
      OutboxRow row = fetched.remove();
      bytes += row.size();
      page.add(row);
    }
    String snapshot = requireNonNull(windowSnapshot, "windowSnapshot");
    if (fetched.isEmpty() && windowEnds) {
      position = OutboxPosition.after(position.outbox(), snapshot);
    } else {
      OutboxRow last = page.get(page.size() - 1);
      position =
          new OutboxPosition(
              position.outbox(), position.previous(), snapshot, last.group(), last.id());
    }
    return page;
  }

  private static void await(Future<?> fetching) throws SQLException {
    try {
      fetching.get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new SQLException("interrupted while the outbox was read", e);
    } catch (ExecutionException e) {
      throw e.getCause() instanceof SQLException failure ? failure : new SQLException(e.getCause());
    }
  }

  private void fetch() throws SQLException {
    if (cursor != null) {
      read(cursor);
      if (windowEnds) {
        closeCursor();
      }
    } else if (position.current() == null && !(busy && connection.getAutoCommit())) {
      bind(firstPage);
      try (ResultSet rows = firstPage.executeQuery()) {
        read(rows);
      }
    } else {
      ownTransaction = connection.getAutoCommit();
      if (ownTransaction) {
        connection.setAutoCommit(false); // a cursor needs a transaction
      }
      bind(backlog);
      cursor = backlog.executeQuery();
      fetch();
    }
  }

  private void bind(PreparedStatement statement) throws SQLException {
    statement.setString(1, position.current());
    statement.setString(2, position.previous());
    statement.setString(3, position.previous());
    for (int after : new int[] {4, 6}) {
      statement.setLong(after, position.group());
      statement.setLong(after + 1, position.id());
    }
  }

  private void read(ResultSet rows) throws SQLException {
    int count = 0;
    while (count < pageRows && rows.next()) {
      windowSnapshot = rows.getString(1);
      long group = rows.getLong(2);
      if (!rows.wasNull()) {
        fetched.add(row(group, rows));
        count++;
      }
    }
    windowRows += count;
    windowEnds = count < pageRows;
    if (windowEnds) {
      busy = windowRows >= pageRows;
      windowRows = 0;
    }
  }

  private static OutboxRow row(long group, ResultSet rows) throws SQLException {
    return new OutboxRow(
        group,
        rows.getLong(3),
        rows.getInt(4),
        rows.getInt(5),
        rows.getString(6).charAt(0),
        Instant.EPOCH.plus(rows.getLong(7), ChronoUnit.MICROS),
        rows.getBytes(8),
        rows.getBytes(9),
        rows.getString(10),
        rows.getString(11));
  }

  private void closeCursor() throws SQLException {
    if (cursor != null) {
      cursor.close();
      cursor = null;
      if (ownTransaction) {
        connection.commit();
        connection.setAutoCommit(true);
        ownTransaction = false;
      }
    }
  }

  /** With a fetch still under way the connection can only be thrown away. */
  @Override
  public void close() throws SQLException {
    ahead.shutdown();
    if (fetching != null && !fetching.isDone()) {
      return;
    }
    closeCursor();
    firstPage.close();
    backlog.close();
  }
}
