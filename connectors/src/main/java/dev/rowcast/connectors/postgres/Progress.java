package dev.rowcast.connectors.postgres;

import dev.rowcast.event.TableId;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.connect.storage.OffsetStorageReader;
import org.jspecify.annotations.Nullable;

/**
 * How far the source has come: what Kafka Connect holds as offsets, brought up to date by every
 * batch that is handed over. It outlives a lost connection to the database. Used by the task's
 * thread only.
 */
final class Progress {
  private final String source;
  private final OffsetStorageReader stored;
  private final Map<TableId, TableProgress> tables = new HashMap<>();
  private final Map<TableId, TableProgress> tablesBefore = new HashMap<>();
  private @Nullable OutboxPosition position;
  private @Nullable OutboxPosition positionBefore;

  Progress(String source, OffsetStorageReader stored) {
    this.source = source;
    this.stored = stored;
    Map<String, Object> offset = stored.offset(streamPartition());
    this.position = offset == null ? null : OutboxPosition.ofOffset(offset);
  }

  /** What is reached from here on counts once the batch is handed over. */
  void begin() {
    positionBefore = position;
    tablesBefore.clear();
    tablesBefore.putAll(tables);
  }

  /** Back to where it began: the batch is lost. */
  void abandon() {
    position = positionBefore;
    tables.clear();
    tables.putAll(tablesBefore);
  }

  Map<String, Object> streamPartition() {
    return Map.of("source", source);
  }

  Map<String, Object> tablePartition(TableId table) {
    return Map.of("source", source, "schema", table.schema(), "table", table.name());
  }

  /** Where the stream is; null before it has started. */
  @Nullable OutboxPosition position() {
    return position;
  }

  void position(OutboxPosition position) {
    this.position = position;
  }

  /** Where a table is; null for one that was never captured. */
  @Nullable TableProgress table(TableId table) {
    return tables.computeIfAbsent(
        table,
        t -> {
          Map<String, Object> offset = stored.offset(tablePartition(t));
          return offset == null ? null : TableProgress.ofOffset(offset);
        });
  }

  /** What Kafka has of these tables may not be what they hold. */
  void distrustTables(List<TableSetting> settings) {
    for (TableSetting setting : settings) {
      TableProgress reached = table(setting.table());
      if (reached != null && reached.state() != TableProgress.State.REMOVED) {
        tables.put(
            setting.table(), TableProgress.of(TableProgress.State.RESYNC, reached.relation()));
      }
    }
  }

  void table(TableId table, TableProgress progress) {
    tables.put(table, progress);
  }
}
