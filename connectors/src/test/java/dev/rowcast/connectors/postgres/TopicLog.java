package dev.rowcast.connectors.postgres;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.awaitility.Awaitility.await;

import dev.rowcast.event.EventCodec;
import dev.rowcast.event.EventRecord;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.jspecify.annotations.Nullable;

/** What is committed in a topic of one partition, read as it comes. */
final class TopicLog implements AutoCloseable {
  private final KafkaConsumer<byte[], byte[]> consumer;
  private final List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();

  TopicLog(String bootstrapServers, String topic) {
    consumer =
        new KafkaConsumer<>(
            Map.of("bootstrap.servers", bootstrapServers, "isolation.level", "read_committed"),
            new ByteArrayDeserializer(),
            new ByteArrayDeserializer());
    TopicPartition partition = new TopicPartition(topic, 0);
    consumer.assign(List.of(partition));
    consumer.seekToBeginning(List.of(partition));
  }

  /** Everything read so far; reads what is there. */
  List<ConsumerRecord<byte[], byte[]>> poll() {
    consumer.poll(Duration.ofMillis(20)).forEach(records::add);
    return records;
  }

  /** Waits until what was read satisfies the condition. */
  List<ConsumerRecord<byte[], byte[]>> until(
      Predicate<List<ConsumerRecord<byte[], byte[]>>> condition) {
    await()
        .atMost(Duration.ofSeconds(40))
        .pollInterval(Duration.ofMillis(5))
        .until(() -> condition.test(poll()));
    return records;
  }

  /** Waits for that many records and tells their values, null for tombstones. */
  List<@Nullable String> values(int count) {
    until(all -> all.size() >= count);
    return values();
  }

  List<@Nullable String> values() {
    List<@Nullable String> values = new ArrayList<>();
    for (ConsumerRecord<byte[], byte[]> record : records) {
      values.add(record.value() == null ? null : new String(record.value(), UTF_8));
    }
    return values;
  }

  /** Waits for that many events, as {@code op key row}. */
  List<String> changes(int count) {
    until(all -> all.size() >= count);
    List<String> changes = new ArrayList<>();
    for (EventRecord event : events()) {
      changes.add(
          event.op().wire()
              + " "
              + event.rowKey()
              + (event.data() == null ? "" : " " + event.data()));
    }
    return changes;
  }

  /** What was read, as events. */
  List<EventRecord> events() {
    List<EventRecord> events = new ArrayList<>();
    for (ConsumerRecord<byte[], byte[]> record : records) {
      Header before = record.headers().lastHeader(EventCodec.BEFORE_HEADER);
      events.add(
          EventRecord.parse(
              record.offset(), record.value(), before == null ? null : before.value()));
    }
    return events;
  }

  /** The latest value of each key; without tombstones. */
  Map<String, String> latest() {
    poll();
    Map<String, String> latest = new TreeMap<>();
    for (ConsumerRecord<byte[], byte[]> record : records) {
      String key = new String(record.key(), UTF_8);
      if (record.value() == null) {
        latest.remove(key);
      } else {
        latest.put(key, new String(record.value(), UTF_8));
      }
    }
    return latest;
  }

  @Override
  public void close() {
    consumer.close();
  }
}
