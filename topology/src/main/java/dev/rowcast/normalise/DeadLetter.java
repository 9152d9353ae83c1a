package dev.rowcast.normalise;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.rowcast.event.EventCodec;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.processor.api.RecordMetadata;

/**
 * A record that could not be read as a row: key, value and headers as they came, and headers that
 * say why, of which table, and where it stood, under names that don't clash with the record's own.
 */
final class DeadLetter {
  static final String REASON = "rowcast.reason";
  static final String TABLE = "rowcast.table";
  static final String TOPIC = "rowcast.topic";
  static final String PARTITION = "rowcast.partition";
  static final String OFFSET = "rowcast.offset";

  /** Says which parts were left out because they are too large; they stand where they stood. */
  static final String OMITTED = "rowcast.omitted";

  private static final int LONGEST_REASON = 1_000;

  private DeadLetter() {}

  static Record<byte[], byte[]> of(
      Record<byte[], byte[]> record,
      RecordMetadata where,
      SourceTable table,
      String reason,
      long now) {
    Headers headers = new RecordHeaders();
    byte[] key = record.key();
    byte[] value = record.value();
    if (size(record) <= EventCodec.MAX_RECORD_BYTES) {
      record.headers().forEach(headers::add);
    } else {
      key = null;
      value = null;
      add(headers, OMITTED, "key, value, headers: " + size(record) + " bytes");
    }
    add(headers, REASON, reason.substring(0, Math.min(reason.length(), LONGEST_REASON)));
    add(headers, TABLE, table.table().toString());
    add(headers, TOPIC, where.topic());
    add(headers, PARTITION, Integer.toString(where.partition()));
    add(headers, OFFSET, Long.toString(where.offset()));
    return new Record<>(key, value, now, headers);
  }

  private static void add(Headers headers, String name, String value) {
    headers.add(name, value.getBytes(UTF_8));
  }

  private static long size(Record<byte[], byte[]> record) {
    long size = length(record.key()) + length(record.value());
    for (Header header : record.headers()) {
      size += header.key().length() + length(header.value());
    }
    return size;
  }

  private static long length(byte[] bytes) {
    return bytes == null ? 0 : bytes.length;
  }
}
