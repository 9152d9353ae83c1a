package dev.rowcast.connectors.postgres;

import dev.rowcast.event.JsonObject;
import dev.rowcast.event.MalformedRowException;
import dev.rowcast.event.RowChange;
import dev.rowcast.event.TableId;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Turns rows of the outbox into records. Used by the task's thread only. */
final class Translator {
  private static final Logger LOG = LoggerFactory.getLogger(Translator.class);
  private static final char LOOK_AGAIN = 'r';

  private final CapturedTables tables;
  private final Progress progress;
  private final ChangeDecoder decoder = new ChangeDecoder();

  Translator(CapturedTables tables, Progress progress) {
    this.tables = tables;
    this.progress = progress;
  }

  /**
   * Adds what the rows tell. Rows of tables that are none of ours are passed over.
   *
   * @return the tables that had any
   */
  Set<CapturedTable> translate(List<OutboxRow> rows, Map<String, Object> offset, Batch batch)
      throws SQLException {
    Set<CapturedTable> touched = new HashSet<>();
    Set<Integer> lookedAt = new HashSet<>();
    List<NestedWrites.Told> told = new ArrayList<>(rows.size());
    for (OutboxRow row : rows) {
      CapturedTable table = tables.table(row.captured());
      if (table == null) {
        continue;
      }
      if (row.op() == LOOK_AGAIN) {
        tables.resync(table, batch);
        continue;
      }
      touched.add(table);
      try {
        List<RowChange> changes = decoder.decode(row, table);
        // once a page: what we look at is at least as new as the rows that were read
        if (!fit(changes, table) && lookedAt.add(row.captured())) {
          table = tables.lookAgain(table, batch);
          changes = decoder.decode(row, table);
        }
        for (RowChange change : changes) {
          told.add(new NestedWrites.Told(change, row.group(), row.depth()));
        }
      } catch (MalformedRowException e) {
        byte[] json = row.after() != null ? row.after() : row.before();
        deadLetter(table.descriptor().table(), json, e.getMessage(), offset, batch);
      }
    }
    for (RowChange change : NestedWrites.inOrder(told)) {
      try {
        batch.change(change, progress.streamPartition(), offset);
      } catch (IllegalArgumentException e) { // a key that no record holds
        JsonObject row = change.row() != null ? change.row() : change.before();
        byte[] json = row == null ? null : row.toByteArray();
        deadLetter(change.table(), json, e.getMessage(), offset, batch);
      }
    }
    return touched;
  }

  private static boolean fit(List<RowChange> changes, CapturedTable table) {
    RowChange last = changes.get(changes.size() - 1);
    return table.fits(last.row() != null ? last.row() : last.before());
  }

  private static void deadLetter(
      TableId table,
      byte @Nullable [] row,
      @Nullable String reason,
      Map<String, Object> offset,
      Batch batch) {
    LOG.warn("{}: a row can't be told: {}", table, reason);
    batch.deadLetter(table, row, String.valueOf(reason), offset);
  }
}
