package dev.rowcast.connectors.postgres;

import dev.rowcast.event.EncodedChange;
import dev.rowcast.event.EventCodec;
import dev.rowcast.event.RowChange;
import dev.rowcast.event.TableId;
import dev.rowcast.source.CatalogCodec;
import dev.rowcast.source.SourceStatus;
import dev.rowcast.source.TableDescriptor;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.header.ConnectHeaders;
import org.apache.kafka.connect.source.SourceRecord;
import org.jspecify.annotations.Nullable;

/**
 * The records of one poll, and so of one Kafka transaction. All that belong to the stream carry the
 * position after the last of them, all of a table's snapshot the table's progress: the transaction
 * is all or nothing. Used by the task's thread only.
 */
final class Batch {
  private final PostgresSettings settings;
  private final Progress progress;
  private final List<SourceRecord> records = new ArrayList<>();

  Batch(PostgresSettings settings, Progress progress) {
    this.settings = settings;
    this.progress = progress;
  }

  boolean isEmpty() {
    return records.isEmpty();
  }

  List<SourceRecord> records() {
    return records;
  }

  /**
   * A row of the outbox that can't be told: as it stands, with the reason.
   *
   * @param row as JSON; null where the outbox has none
   */
  void deadLetter(TableId table, byte @Nullable [] row, String reason, Map<String, ?> offset) {
    ConnectHeaders headers = new ConnectHeaders();
    headers.addBytes("reason", reason.getBytes(StandardCharsets.UTF_8));
    records.add(
        new SourceRecord(
            progress.streamPartition(),
            offset,
            settings.deadLettersTopic(),
            0,
            Schema.BYTES_SCHEMA,
            table.toString().getBytes(StandardCharsets.UTF_8),
            Schema.OPTIONAL_BYTES_SCHEMA,
            row,
            null,
            headers));
  }

  /** An event and the row that it leaves, in the stream's name or in a table's. */
  void change(RowChange change, Map<String, ?> partition, Map<String, ?> offset) {
    EncodedChange encoded = EventCodec.encode(change, settings.maxRecordBytes());
    ConnectHeaders headers = new ConnectHeaders();
    if (encoded.before() != null) {
      headers.addBytes(EventCodec.BEFORE_HEADER, encoded.before());
    }
    records.add(
        new SourceRecord(
            partition,
            offset,
            settings.eventsTopic(),
            0,
            Schema.BYTES_SCHEMA,
            encoded.key(),
            Schema.BYTES_SCHEMA,
            encoded.event(),
            null,
            headers));
    records.add(record(settings.rowsTopic(), encoded.key(), encoded.row(), partition, offset));
  }

  /** A row that was there before its table was captured: no event. */
  void row(RowChange change, Map<String, ?> offset) {
    EncodedChange encoded = EventCodec.encode(change, settings.maxRecordBytes());
    records.add(
        record(
            settings.rowsTopic(),
            encoded.key(),
            encoded.row(),
            progress.tablePartition(change.table()),
            offset));
  }

  /** What a table is, with how far it has come. */
  void table(TableDescriptor table, TableProgress reached) {
    tableRecord(table.table(), CatalogCodec.encode(table), reached);
  }

  /** That a table is captured no more. */
  void removed(TableId table, TableProgress reached) {
    tableRecord(table, null, reached);
  }

  private void tableRecord(TableId table, byte @Nullable [] value, TableProgress reached) {
    progress.table(table, reached);
    records.add(
        record(
            settings.catalogTopic(),
            CatalogCodec.tableKey(table),
            value,
            progress.tablePartition(table),
            reached.toOffset()));
  }

  /** How the source fares, with the stream's position; before there is one, with none. */
  void status(SourceStatus status) {
    OutboxPosition position = progress.position();
    records.add(
        record(
            settings.catalogTopic(),
            CatalogCodec.sourceKey(status.source()),
            CatalogCodec.encode(status),
            position == null
                ? Map.of("source", status.source(), "status", "")
                : progress.streamPartition(),
            position == null ? Map.of() : position.toOffset()));
  }

  private static SourceRecord record(
      String topic,
      byte[] key,
      byte @Nullable [] value,
      Map<String, ?> partition,
      Map<String, ?> offset) {
    return new SourceRecord(
        partition, offset, topic, 0, Schema.BYTES_SCHEMA, key, Schema.OPTIONAL_BYTES_SCHEMA, value);
  }
}
