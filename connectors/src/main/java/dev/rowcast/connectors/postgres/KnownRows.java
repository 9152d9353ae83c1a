package dev.rowcast.connectors.postgres;

import dev.rowcast.event.EventCodec;
import dev.rowcast.event.JsonObject;
import dev.rowcast.event.TableId;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** The latest rows of a table as Kafka has them: what a resync compares a table with. */
final class KnownRows {
  private KnownRows() {}

  /**
   * The rows of a table by their row keys, everything that is committed included. They are held in
   * memory.
   */
  static Map<JsonObject, byte[]> read(PostgresSettings settings, TableId table) {
    TopicPartition partition = new TopicPartition(settings.rowsTopic(), 0);
    byte[] prefix = prefix(table);
    Map<JsonObject, byte[]> rows = new HashMap<>();
    long end = end(settings, partition);
    try (Consumer<byte[], byte[]> consumer = consumer(settings, "read_committed")) {
      consumer.assign(List.of(partition));
      consumer.seekToBeginning(List.of(partition));
      while (consumer.position(partition) < end) {
        for (ConsumerRecord<byte[], byte[]> row : consumer.poll(Duration.ofMillis(100))) {
          if (startsWith(row.key(), prefix)) {
            JsonObject key = JsonObject.of(row.key(), prefix.length, row.key().length - 1);
            if (row.value() == null) {
              rows.remove(key);
            } else {
              rows.put(key, row.value());
            }
          }
        }
      }
    }
    return rows;
  }

  /** The end of all that was written: a transaction still open may hide what lies behind it. */
  private static long end(PostgresSettings settings, TopicPartition partition) {
    try (Consumer<byte[], byte[]> consumer = consumer(settings, "read_uncommitted")) {
      return consumer.endOffsets(List.of(partition)).getOrDefault(partition, 0L);
    }
  }

  private static Consumer<byte[], byte[]> consumer(PostgresSettings settings, String isolation) {
    Map<String, Object> properties = settings.consumerProperties();
    properties.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, isolation);
    properties.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
    return new KafkaConsumer<>(
        properties, new ByteArrayDeserializer(), new ByteArrayDeserializer());
  }

  private static byte[] prefix(TableId table) {
    byte[] whole = EventCodec.key(table, JsonObject.EMPTY);
    return Arrays.copyOf(whole, whole.length - "{}}".length());
  }

  private static boolean startsWith(byte[] key, byte[] prefix) {
    return key.length >= prefix.length
        && Arrays.equals(key, 0, prefix.length, prefix, 0, prefix.length);
  }
}
