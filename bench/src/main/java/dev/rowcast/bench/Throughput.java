package dev.rowcast.bench;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * How many 500-byte rows a second get from the source into {@code events}, up to the last committed
 * event, all servers on the same cores.
 */
final class Throughput {
  private static final int WRITERS = 4;
  private static final int ROWS_PER_TRANSACTION = 500;
  static final Duration STALL_LIMIT = Duration.ofSeconds(60);

  private final BenchStack stack;
  private final int rows;

  Throughput(BenchStack stack, int rows) {
    this.stack = stack;
    this.rows = rows;
  }

  /** From the first write, with the writers on the same cores too. */
  double ofNativeSource(long firstId) throws Exception {
    try (KafkaConsumer<byte[], byte[]> events = tail()) {
      long start = System.nanoTime();
      ExecutorService writers = Executors.newFixedThreadPool(WRITERS);
      List<Future<?>> written = write(firstId, writers);
      count(events, written());
      double seconds = (System.nanoTime() - start) / 1e9;
      await(written);
      writers.shutdown();
      return written() / seconds;
    }
  }

  /** What was written while the source stood still, from where it goes on. */
  double ofNativeBacklog(long firstId) throws Exception {
    try (KafkaConsumer<byte[], byte[]> events = tail()) {
      stack.pauseSource();
      ExecutorService writers = Executors.newFixedThreadPool(WRITERS);
      await(write(firstId, writers));
      writers.shutdown();
      long start = System.nanoTime();
      stack.resumeSource();
      count(events, written());
      return written() / ((System.nanoTime() - start) / 1e9);
    }
  }

  private int written() {
    return rows / WRITERS * WRITERS;
  }

  private List<Future<?>> write(long firstId, ExecutorService writers) {
    List<Future<?>> written = new ArrayList<>();
    int share = rows / WRITERS;
    for (int w = 0; w < WRITERS; w++) {
      long from = firstId + (long) w * share;
      written.add(writers.submit(() -> insert(from, share)));
    }
    return written;
  }

  private static void await(List<Future<?>> written) throws Exception {
    for (Future<?> writer : written) {
      writer.get();
    }
  }

  private Void insert(long firstId, int count) throws Exception {
    try (Connection connection = stack.connect();
        PreparedStatement insert =
            connection.prepareStatement(
                "INSERT INTO native SELECT id, ? FROM generate_series(?::bigint, ?::bigint) AS id")) {
      for (int done = 0; done < count; done += ROWS_PER_TRANSACTION) {
        insert.setString(1, Rows.PAYLOAD);
        insert.setLong(2, firstId + done);
        insert.setLong(3, firstId + Math.min(count, done + ROWS_PER_TRANSACTION) - 1);
        insert.executeUpdate();
      }
    }
    return null;
  }

  double ofTopic(long firstId) throws Exception {
    try (KafkaConsumer<byte[], byte[]> events = tail();
        KafkaProducer<byte[], byte[]> producer =
            new KafkaProducer<>(
                Map.of("bootstrap.servers", stack.bootstrapServers()),
                new ByteArraySerializer(),
                new ByteArraySerializer())) {
      long start = System.nanoTime();
      for (int i = 0; i < rows; i++) {
        var unused =
            producer.send(
                new ProducerRecord<>(
                    BenchStack.RAW_TOPIC, Rows.key(firstId + i), Rows.row(firstId + i)));
      }
      producer.flush();
      count(events, rows);
      return rows / ((System.nanoTime() - start) / 1e9);
    }
  }

  private KafkaConsumer<byte[], byte[]> tail() {
    KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(
            Map.of(
                "bootstrap.servers", stack.bootstrapServers(),
                "isolation.level", "read_committed",
                "max.poll.records", "5000"),
            new ByteArrayDeserializer(),
            new ByteArrayDeserializer());
    TopicPartition partition = new TopicPartition("events", 0);
    consumer.assign(List.of(partition));
    consumer.seekToEnd(List.of(partition));
    consumer.position(partition);
    return consumer;
  }

  private static void count(KafkaConsumer<byte[], byte[]> events, int expected) {
    int seen = 0;
    long lastProgress = System.nanoTime();
    while (seen < expected) {
      int polled = events.poll(Duration.ofMillis(100)).count();
      seen += polled;
      if (polled > 0) {
        lastProgress = System.nanoTime();
      } else if (System.nanoTime() - lastProgress > STALL_LIMIT.toNanos()) {
        throw new IllegalStateException("events: " + seen + " (expected: " + expected + ")");
      }
    }
  }
}
