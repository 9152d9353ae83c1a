package dev.rowcast.normalise;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

class PollEndsTest {
  private static final TopicPartition ORDERS = new TopicPartition("orders", 0);
  private static final TopicPartition LINES = new TopicPartition("lines", 3);

  private final PollEnds ends = new PollEnds();
  private final PollEnds.Interceptor interceptor = new PollEnds.Interceptor();

  PollEndsTest() {
    interceptor.configure(Map.of(PollEnds.SETTING, ends));
  }

  @Test
  void eachPartitionsLastRecordOfAPollEndsIt() {
    interceptor.onConsume(records(Map.of(ORDERS, List.of(5L, 6L, 9L), LINES, List.of(2L))));
    assertFalse(ends.isLast(ORDERS, 5));
    assertFalse(ends.isLast(ORDERS, 6));
    assertTrue(ends.isLast(ORDERS, 9));
    assertTrue(ends.isLast(LINES, 2));

    interceptor.onConsume(records(Map.of(ORDERS, List.of(10L, 11L))));
    assertFalse(ends.isLast(ORDERS, 10));
    assertTrue(ends.isLast(ORDERS, 11));
  }

  @Test
  void aPartitionThatWasNeverPolledEndsNowhere() {
    assertFalse(ends.isLast(ORDERS, Long.MAX_VALUE));
  }

  private static ConsumerRecords<byte[], byte[]> records(Map<TopicPartition, List<Long>> offsets) {
    Map<TopicPartition, List<ConsumerRecord<byte[], byte[]>>> records = new HashMap<>();
    offsets.forEach(
        (partition, some) -> {
          List<ConsumerRecord<byte[], byte[]>> of = new ArrayList<>();
          some.forEach(
              offset ->
                  of.add(
                      new ConsumerRecord<>(
                          partition.topic(), partition.partition(), offset, null, null)));
          records.put(partition, of);
        });
    return new ConsumerRecords<>(records, Map.of());
  }
}
