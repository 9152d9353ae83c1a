package dev.rowcast.bench;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * How long a change takes from its writer to an SSE client. For the native source the clock starts
 * when COMMIT has returned to the writer; what a client has before the writer knows counts as zero.
 */
final class Latency {
  private static final long FRAME_LIMIT_NANOS = TimeUnit.SECONDS.toNanos(20);

  private final BenchStack stack;
  private final int rate;
  private final int changes;
  private final AtomicLongArray started;
  private final AtomicLongArray seen;
  private final AtomicLong arrived = new AtomicLong();

  /**
   * @param rate changes a second
   * @param seconds how long
   */
  Latency(BenchStack stack, int rate, int seconds) {
    this.stack = stack;
    this.rate = rate;
    this.changes = rate * seconds;
    this.started = new AtomicLongArray(changes);
    this.seen = new AtomicLongArray(changes);
  }

  /** Writes rows in their own transactions; {@code firstId} must be free. */
  @SuppressWarnings("try") // the client is there to be closed: it listens by itself
  Histogram ofNativeSource(long firstId) throws Exception {
    try (SseReader client = client("native", firstId);
        Connection connection = stack.connect();
        PreparedStatement insert =
            connection.prepareStatement("INSERT INTO native VALUES (?, ?)")) {
      return paced(
          i -> {
            insert.setLong(1, firstId + i);
            insert.setString(2, Rows.PAYLOAD);
            insert.executeUpdate(); // autocommit: returns once it is committed
            started.set(i, System.nanoTime());
          });
    }
  }

  /** Produces upserts; the clock starts when the broker has acknowledged. */
  @SuppressWarnings("try")
  Histogram ofTopic(long firstId) throws Exception {
    try (SseReader client = client("topic", firstId);
        KafkaProducer<byte[], byte[]> producer =
            new KafkaProducer<>(
                Map.of("bootstrap.servers", stack.bootstrapServers(), "linger.ms", "0"),
                new ByteArraySerializer(),
                new ByteArraySerializer())) {
      return paced(
          i -> {
            producer
                .send(
                    new ProducerRecord<>(
                        BenchStack.RAW_TOPIC, Rows.key(firstId + i), Rows.row(firstId + i)))
                .get();
            started.set(i, System.nanoTime());
          });
    }
  }

  private SseReader client(String table, long firstId) throws IOException {
    return new SseReader(
        stack.url("/events/stream?tables=" + table),
        BenchStack.KEY,
        (line, from, length, nanos) -> {
          int i =
              (int)
                  (Rows.idOf(new String(line, from, Math.min(length, 300), StandardCharsets.UTF_8))
                      - firstId);
          if (i >= 0 && i < changes && seen.compareAndSet(i, 0, nanos)) {
            arrived.incrementAndGet();
          }
        });
  }

  private interface Change {
    void make(int i) throws Exception;
  }

  private Histogram paced(Change change) throws Exception {
    long period = TimeUnit.SECONDS.toNanos(1) / rate;
    long next = System.nanoTime();
    for (int i = 0; i < changes; i++) {
      next += period;
      long wait = next - System.nanoTime();
      if (wait > 0) {
        LockSupport.parkNanos(wait);
      }
      change.make(i);
    }
    long deadline = System.nanoTime() + FRAME_LIMIT_NANOS;
    while (arrived.get() < changes && System.nanoTime() < deadline) {
      LockSupport.parkNanos(1_000_000);
    }
    if (arrived.get() < changes) {
      throw new IllegalStateException("frames: " + arrived.get() + " (expected: " + changes + ")");
    }
    Histogram histogram = new ConcurrentHistogram(TimeUnit.MINUTES.toNanos(1), 3);
    for (int i = 0; i < changes; i++) {
      histogram.recordValue(Math.max(0, seen.get(i) - started.get(i)));
    }
    return histogram;
  }
}
