package dev.rowcast.log;

import dev.rowcast.event.EventRecord;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * An open consumer with what it has fetched ahead. Used by one thread at a time; whoever hands it
 * on sees to the happens-before.
 */
final class LogReader implements AutoCloseable {
  private static final Duration POLL = Duration.ofMillis(100);

  private final Consumer<byte[], byte[]> consumer;
  private final TopicPartition partition;
  private final ArrayDeque<ConsumerRecord<byte[], byte[]>> ahead = new ArrayDeque<>();
  private long position = -1;

  LogReader(Map<String, Object> clients, TopicPartition partition) {
    Map<String, Object> settings = new HashMap<>(clients);
    settings.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
    settings.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "none");
    settings.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
    settings.put(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, 2_000);
    settings.put(ConsumerConfig.MAX_PARTITION_FETCH_BYTES_CONFIG, 512 << 10);
    settings.put(ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG, 100);
    settings.put(ConsumerConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, 5_000);
    settings.put(ConsumerConfig.REQUEST_TIMEOUT_MS_CONFIG, 5_000);
    this.partition = partition;
    this.consumer =
        new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer());
    consumer.assign(Set.of(partition));
  }

  /** Where the last read ended; -1 for none. */
  long position() {
    return position;
  }

  LogSlice read(long after, int maxEvents, int maxBytes) throws TruncatedException {
    if (after != position) {
      ahead.clear();
      consumer.seek(partition, after);
      position = after;
    }
    if (ahead.isEmpty()) {
      fetch(after);
    }
    List<EventRecord> events = new ArrayList<>(Math.min(maxEvents, ahead.size()));
    long size = 0;
    while (!ahead.isEmpty() && events.size() < maxEvents) {
      ConsumerRecord<byte[], byte[]> record = ahead.peek();
      size += Math.max(0, record.serializedValueSize());
      if (size > maxBytes && !events.isEmpty()) {
        return new LogSlice(events, position);
      }
      ahead.remove();
      position = record.offset() + 1;
      EventRecord event = EventDecoder.decode(record.offset(), record.value(), record.headers());
      if (event != null) {
        events.add(event);
      }
    }
    if (ahead.isEmpty()) {
      position = consumer.position(partition); // past markers
    }
    return new LogSlice(events, position);
  }

  private void fetch(long after) throws TruncatedException {
    try {
      consumer.poll(POLL).records(partition).forEach(ahead::add);
    } catch (OffsetOutOfRangeException e) {
      position = -1;
      throw new TruncatedException(after);
    }
  }

  @Override
  public void close() {
    consumer.close();
  }
}
