package dev.rowcast.normalise;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.clients.consumer.ConsumerInterceptor;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;

/**
 * Where each partition's share of the last poll ends: there a transaction is committed. At a low
 * rate that is after each row, and nothing waits for a timer; at a high rate it is after a thousand
 * rows, which makes a transaction worth its round trips. Thread-safe.
 */
final class PollEnds {
  /** The setting of the consumer by which its {@link Interceptor} is given this. */
  static final String SETTING = "rowcast.poll.ends";

  private final Map<TopicPartition, Long> lastOffsets = new ConcurrentHashMap<>();

  /** Whether nothing of the last poll comes after a record. */
  boolean isLast(TopicPartition partition, long offset) {
    Long last = lastOffsets.get(partition);
    return last != null && offset >= last;
  }

  private void polled(ConsumerRecords<byte[], byte[]> records) {
    for (TopicPartition partition : records.partitions()) {
      var some = records.records(partition);
      lastOffsets.put(partition, some.get(some.size() - 1).offset());
    }
  }

  /** Sees what the consumer of a stream thread polls, on that thread. Made by Kafka. */
  public static final class Interceptor implements ConsumerInterceptor<byte[], byte[]> {
    private PollEnds ends = new PollEnds();

    @Override
    public void configure(Map<String, ?> settings) {
      ends = (PollEnds) settings.get(SETTING);
    }

    @Override
    public ConsumerRecords<byte[], byte[]> onConsume(ConsumerRecords<byte[], byte[]> records) {
      ends.polled(records);
      return records;
    }

    @Override
    public void onCommit(Map<TopicPartition, OffsetAndMetadata> offsets) {}

    @Override
    public void close() {}
  }
}
