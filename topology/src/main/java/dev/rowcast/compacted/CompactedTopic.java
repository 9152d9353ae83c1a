package dev.rowcast.compacted;

import dev.rowcast.config.KafkaConfig;
import dev.rowcast.problem.ProblemException;
import dev.rowcast.problem.ProblemType;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.LongAdder;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.WakeupException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Follows a compacted topic of one partition into a {@link Content}, from its beginning, for as
 * long as it is open, and writes to it so that the writer reads what it wrote.
 *
 * <p>One thread, named after the topic, consumes and is the only one to touch the content. While
 * Kafka is away the content stays as it was; the follower tries again, at first after {@link
 * Pause#FIRST}, and goes on where it was. A topic that was made anew is noticed once it is shorter
 * than what was read, and read from its beginning. Thread-safe.
 */
public final class CompactedTopic implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(CompactedTopic.class);
  private static final Duration POLL = Duration.ofSeconds(1);
  private static final Duration WRITE_LIMIT = Duration.ofSeconds(10);

  private final TopicPartition partition;
  private final Content content;
  private final KafkaConfig kafka;
  private final Producer<byte[], byte[]> producer;
  private final Thread follower;
  private final CountDownLatch ready = new CountDownLatch(1);
  private final CountDownLatch closing = new CountDownLatch(1);
  private final LongAdder broken = new LongAdder();
  private final Object progress = new Object();

  /** Everything before it is published; guarded by {@link #progress}, written by the follower. */
  private long position;

  private volatile @Nullable Consumer<byte[], byte[]> consumer;

  private CompactedTopic(KafkaConfig kafka, String topic, Content content) {
    this.kafka = kafka;
    this.partition = new TopicPartition(topic, 0);
    this.content = content;
    this.producer = new KafkaProducer<>(Clients.producer(kafka));
    this.follower = new Thread(this::run, "follow-" + topic);
    follower.setDaemon(true);
  }

  /** Starts following; returns at once, whether Kafka can be reached and has the topic or not. */
  public static CompactedTopic follow(KafkaConfig kafka, String topic, Content content) {
    CompactedTopic followed = new CompactedTopic(kafka, topic, content);
    followed.follower.start();
    return followed;
  }

  /** Whether everything is known that stood in the topic when it was first reached. */
  public boolean isReady() {
    return ready.getCount() == 0;
  }

  /** Waits for {@link #isReady()} and answers it. */
  public boolean awaitReady(Duration limit) throws InterruptedException {
    return ready.await(limit.toNanos(), TimeUnit.NANOSECONDS);
  }

  /** How many records were passed over because they aren't what the topic is for. */
  public long brokenRecords() {
    return broken.sum();
  }

  /**
   * Writes a record; returns once Kafka has it and this node has read and published it.
   *
   * @param value null to have the key gone
   * @throws ProblemException {@code UNAVAILABLE} if that took more than ten seconds: the record may
   *     be there all the same, so only what is safe to repeat should be written
   */
  public void write(byte[] key, byte @Nullable [] value) {
    try {
      long offset =
          producer
              .send(new ProducerRecord<>(partition.topic(), partition.partition(), key, value))
              .get(WRITE_LIMIT.toMillis(), TimeUnit.MILLISECONDS)
              .offset();
      awaitPublished(offset);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // this node stops
      throw unavailable("interrupted");
    } catch (ExecutionException | TimeoutException | KafkaException | IllegalStateException e) {
      LOG.warn("{}: could not be written", partition.topic(), e);
      throw unavailable("Kafka doesn't answer");
    }
  }

  /** Stops following and writing, within a few seconds. What is known stays. Idempotent. */
  @Override
  public void close() {
    closing.countDown();
    Consumer<byte[], byte[]> current = consumer;
    if (current != null) {
      current.wakeup();
    }
    producer.close(Duration.ofSeconds(1));
    try {
      follower.join(Duration.ofSeconds(3).toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void awaitPublished(long offset) throws InterruptedException, TimeoutException {
    long deadline = System.nanoTime() + WRITE_LIMIT.toNanos();
    synchronized (progress) {
      while (position <= offset) {
        long left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
        if (left <= 0) {
          throw new TimeoutException("not read back");
        }
        progress.wait(left);
      }
    }
  }

  private ProblemException unavailable(String why) {
    return new ProblemException(
        ProblemType.UNAVAILABLE, partition.topic() + ": not written: " + why + "; try again later");
  }

  private void run() {
    Pause pause = new Pause();
    while (!isClosing()) {
      try (Consumer<byte[], byte[]> current = new KafkaConsumer<>(Clients.consumer(kafka))) {
        consumer = current; // from here on close() wakes it; before, the loops look for themselves
        consume(current, pause);
      } catch (WakeupException e) {
        LOG.debug("{}: woken to close", partition);
      } catch (OffsetOutOfRangeException e) {
        LOG.warn("{}: shorter than what was read of it; reading it anew", partition);
        restart();
      } catch (RuntimeException e) {
        // whatever it was: a follower that ended would answer for ever from what it knew then
        LOG.warn("{}: not readable, trying again: {}", partition, e.toString());
        await(pause.next());
      }
    }
  }

  private void consume(Consumer<byte[], byte[]> current, Pause pause) {
    current.assign(List.of(partition));
    seek(current);
    long end = isReady() ? 0 : current.endOffsets(List.of(partition)).get(partition);
    while (!isClosing()) {
      if (!isReady() && current.position(partition) >= end) {
        publish(); // also what is empty has been read
        ready.countDown();
      }
      ConsumerRecords<byte[], byte[]> records = current.poll(POLL);
      records.forEach(this::apply);
      pause.reset();
      if (!records.isEmpty()) {
        publish();
      }
      advanceTo(current.position(partition));
    }
  }

  /** To where it was left, or to the beginning, which a topic of any age may have anywhere. */
  private void seek(Consumer<byte[], byte[]> current) {
    long next;
    synchronized (progress) {
      next = position;
    }
    if (next == 0) {
      next = current.beginningOffsets(List.of(partition)).get(partition);
    }
    current.seek(partition, next);
  }

  private void apply(ConsumerRecord<byte[], byte[]> record) {
    try {
      if (record.key() == null || record.key().length == 0) {
        throw new IllegalArgumentException("no key");
      }
      content.apply(record.key(), record.value());
    } catch (RuntimeException e) {
      broken.increment();
      // never the record itself: it may hold what nobody should read in a log
      LOG.warn("{}: record {} passed over: {}", partition, record.offset(), e.getMessage());
    }
  }

  private void publish() {
    try {
      content.publish();
    } catch (RuntimeException e) {
      LOG.error("{}: a listener failed", partition, e);
    }
  }

  private void restart() {
    content.clear();
    publish();
    advanceTo(0);
  }

  private void advanceTo(long next) {
    synchronized (progress) {
      position = next;
      progress.notifyAll();
    }
  }

  private boolean isClosing() {
    return closing.getCount() == 0;
  }

  private void await(Duration time) {
    try {
      if (closing.await(time.toNanos(), TimeUnit.NANOSECONDS)) {
        LOG.debug("{}: closing", partition);
      }
    } catch (InterruptedException e) {
      closing.countDown(); // nobody but the owner of the process interrupts this thread
    }
  }
}
