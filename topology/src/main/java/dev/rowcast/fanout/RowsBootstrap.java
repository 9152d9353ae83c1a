package dev.rowcast.fanout;

import dev.rowcast.event.EventRecord;
import dev.rowcast.event.JsonObject;
import dev.rowcast.event.TableId;
import dev.rowcast.log.EventLog;
import dev.rowcast.log.LogSlice;
import dev.rowcast.log.TruncatedException;
import dev.rowcast.policy.lookup.RowIndexes;
import dev.rowcast.problem.ProblemException;
import dev.rowcast.problem.ProblemType;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * Brings the rows that rules ask for up to a position of {@code events}: one scan of {@code rows},
 * then the events up to the end that stood there, committed or not, once the scan was over. A row's
 * event is appended before the transaction of both commits, so no row from beyond that position can
 * have been in the scan. Blocks; one per start.
 */
final class RowsBootstrap {
  private static final Duration POLL = Duration.ofMillis(200);
  private static final long LIMIT_NANOS = Duration.ofMinutes(5).toNanos();
  private static final int EVENTS = 1_000;
  private static final int BYTES = 4 << 20;

  private final EventLog log;
  private final RowIndexes lookups;
  private final long deadline = System.nanoTime() + LIMIT_NANOS;

  RowsBootstrap(EventLog log, RowIndexes lookups) {
    this.log = log;
    this.lookups = lookups;
  }

  /**
   * The position at which the rows are as the events up to it left them.
   *
   * @param rows reads {@code rows}, committed records only; not closed here
   * @throws ProblemException {@code UNAVAILABLE} where the broker doesn't get there in time
   */
  long upToDate(Consumer<byte[], byte[]> rows, String topic) {
    long start = log.range().latest();
    if (!lookups.tables().isEmpty()) {
      scan(rows, topic);
      start = follow(start);
    }
    lookups.ready();
    return start;
  }

  private void scan(Consumer<byte[], byte[]> rows, String topic) {
    List<TopicPartition> partitions =
        rows.partitionsFor(topic).stream()
            .map((PartitionInfo info) -> new TopicPartition(topic, info.partition()))
            .toList();
    rows.assign(partitions);
    rows.seekToBeginning(partitions);
    Map<TopicPartition, Long> ends = rows.endOffsets(partitions);
    while (ends.entrySet().stream().anyMatch(end -> rows.position(end.getKey()) < end.getValue())) {
      rows.poll(POLL).forEach(this::apply);
      checkTime();
    }
  }

  private void apply(ConsumerRecord<byte[], byte[]> record) {
    JsonObject key = JsonObject.of(record.key());
    TableId table = new TableId(text(key, "schema"), text(key, "table"));
    int rowKey = key.find("rowKey");
    lookups.apply(
        table,
        JsonObject.of(key.bytes(), key.valueStart(rowKey), key.valueEnd(rowKey)),
        row(record.value()));
  }

  private static @Nullable JsonObject row(byte @Nullable [] value) {
    return value == null ? null : JsonObject.of(value);
  }

  private static String text(JsonObject key, String member) {
    return key.stringValue(key.find(member));
  }

  private long follow(long from) {
    long end = log.range().end();
    long position = from;
    try {
      while (position < end) {
        LogSlice slice = log.read(position, EVENTS, BYTES);
        for (EventRecord event : slice.events()) {
          lookups.apply(event.table(), event.rowKey(), event.data());
        }
        position = Math.max(position, slice.position());
        checkTime();
      }
      return position;
    } catch (TruncatedException e) {
      throw new ProblemException(
          ProblemType.UNAVAILABLE, "the outbox was cut while a node was starting; start it again");
    }
  }

  private void checkTime() {
    if (System.nanoTime() - deadline > 0) {
      throw new ProblemException(
          ProblemType.UNAVAILABLE, "the rows that rules ask for couldn't be read in time");
    }
  }
}
