package dev.rowcast.connectors.postgres;

import dev.rowcast.event.JsonObject;
import dev.rowcast.event.MalformedRowException;
import dev.rowcast.event.Op;
import dev.rowcast.event.RowChange;
import dev.rowcast.event.TableId;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Iterator;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What makes the rows that Kafka has into those that the table has: an insert, an update or a
 * delete for each that differs, nothing for the others.
 */
final class TableComparison implements AutoCloseable {
  private final CapturedTable table;
  private final TableRows present;
  private final Map<JsonObject, byte[]> known;
  private final Instant now = Instant.now();
  private @Nullable Iterator<Map.Entry<JsonObject, byte[]>> gone;

  TableComparison(CapturedTable table, TableRows present, Map<JsonObject, byte[]> known) {
    this.table = table;
    this.present = present;
    this.known = known;
  }

  /** The next difference; null after the last. */
  @Nullable RowChange next() throws SQLException, MalformedRowException {
    while (gone == null) {
      JsonObject row = table.encode(present.next());
      if (row == null) {
        gone = known.entrySet().iterator();
      } else {
        RowChange change = compare(row);
        if (change != null) {
          return change;
        }
      }
    }
    return gone.hasNext() ? delete(gone.next()) : null;
  }

  private @Nullable RowChange compare(JsonObject row) throws MalformedRowException {
    TableId id = table.descriptor().table();
    JsonObject key = table.key(row);
    byte[] before = known.remove(key);
    if (before == null) {
      return new RowChange(id, Op.INSERT, now, key, row, null, null);
    }
    JsonObject old = JsonObject.of(before);
    return old.equals(row) ? null : new RowChange(id, Op.UPDATE, now, key, row, old, null);
  }

  private RowChange delete(Map.Entry<JsonObject, byte[]> row) {
    TableId id = table.descriptor().table();
    return new RowChange(
        id, Op.DELETE, now, row.getKey(), null, JsonObject.of(row.getValue()), null);
  }

  @Override
  public void close() throws SQLException {
    present.close();
  }
}
