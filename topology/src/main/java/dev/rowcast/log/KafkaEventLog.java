package dev.rowcast.log;

import dev.rowcast.problem.ProblemException;
import dev.rowcast.problem.ProblemType;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.ListOffsetsResult;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.jspecify.annotations.Nullable;

/**
 * The outbox in a Kafka topic of one partition, read by a small pool of consumers that stay open: a
 * new one costs milliseconds, one that goes on where it stopped has the next events already.
 * Thread-safe: a consumer is used by one thread at a time, the list of idle ones is guarded by this
 * object's monitor.
 */
public final class KafkaEventLog implements EventLog {
  private static final long TIMEOUT_MS = 5_000;

  private final Map<String, Object> clients;
  private final TopicPartition partition;
  private final Admin admin;
  private final String epoch;
  private final int maxReaders;
  private final List<LogReader> idle = new ArrayList<>();
  private int open;
  private boolean closed;

  private KafkaEventLog(
      Map<String, Object> clients,
      TopicPartition partition,
      Admin admin,
      String epoch,
      int maxReaders) {
    this.clients = clients;
    this.partition = partition;
    this.admin = admin;
    this.epoch = epoch;
    this.maxReaders = maxReaders;
  }

  /**
   * Opens the outbox.
   *
   * @param clients settings that every client gets: {@code bootstrap.servers}, security
   * @param topic the outbox; it must exist
   * @param maxReaders how many consumers there are at most: as many as threads that read
   * @throws ProblemException {@code UNAVAILABLE} where the broker or the topic isn't there
   */
  public static KafkaEventLog open(Map<String, ?> clients, String topic, int maxReaders) {
    Map<String, Object> settings = new HashMap<>(clients);
    Admin admin = Admin.create(settings);
    try {
      var described = admin.describeTopics(List.of(topic)).topicNameValues().get(topic);
      Uuid id = get(described.toCompletionStage().toCompletableFuture()::get).topicId();
      return new KafkaEventLog(
          settings, new TopicPartition(topic, 0), admin, epoch(id), maxReaders);
    } catch (RuntimeException e) {
      admin.close(Duration.ZERO);
      throw e;
    }
  }

  /** A topic id as few characters that a cursor may have: 50 bits of its 122 random ones. */
  static String epoch(Uuid topicId) {
    long bits = (topicId.getMostSignificantBits() * 31 + topicId.getLeastSignificantBits());
    return Long.toString((bits ^ (bits >>> 32)) & ((1L << 50) - 1), 36);
  }

  @Override
  public String epoch() {
    return epoch;
  }

  @Override
  public LogRange range() {
    var oldest = offset(OffsetSpec.earliest(), IsolationLevel.READ_UNCOMMITTED);
    var latest = offset(OffsetSpec.latest(), IsolationLevel.READ_COMMITTED);
    var end = offset(OffsetSpec.latest(), IsolationLevel.READ_UNCOMMITTED);
    // three questions at once: what was written between two of them must not contradict
    long committed = value(latest);
    return new LogRange(value(oldest), committed, Math.max(committed, value(end)));
  }

  private KafkaFuture<ListOffsetsResult.ListOffsetsResultInfo> offset(
      OffsetSpec spec, IsolationLevel isolation) {
    return admin
        .listOffsets(Map.of(partition, spec), new ListOffsetsOptions(isolation))
        .partitionResult(partition);
  }

  private static long value(KafkaFuture<ListOffsetsResult.ListOffsetsResultInfo> future) {
    return get(future::get).offset();
  }

  @Override
  public LogSlice read(long after, int maxEvents, int maxBytes) throws TruncatedException {
    LogReader reader = take(after);
    boolean usable = false;
    try {
      LogSlice slice = reader.read(after, maxEvents, maxBytes);
      usable = true;
      return slice;
    } catch (KafkaException e) {
      throw unavailable(e);
    } finally {
      giveBack(reader, usable);
    }
  }

  /** The idle reader that stands there, else a new one, else the one that was idle longest. */
  private LogReader take(long after) {
    synchronized (this) {
      if (closed) {
        throw new ProblemException(ProblemType.UNAVAILABLE, "this node is stopping");
      }
      for (int i = 0; i < idle.size(); i++) {
        if (idle.get(i).position() == after) {
          return idle.remove(i);
        }
      }
      if (open >= maxReaders && !idle.isEmpty()) {
        return idle.remove(0);
      }
      open++;
    }
    try {
      return new LogReader(clients, partition);
    } catch (KafkaException e) {
      synchronized (this) {
        open--;
      }
      throw unavailable(e);
    }
  }

  private void giveBack(LogReader reader, boolean usable) {
    synchronized (this) {
      if (usable && !closed && open <= maxReaders) {
        idle.add(reader);
        return;
      }
      open--;
    }
    reader.close();
  }

  @Override
  public void close() {
    List<LogReader> closing;
    synchronized (this) {
      closed = true;
      closing = List.copyOf(idle);
      idle.clear();
      open -= closing.size();
    }
    closing.forEach(LogReader::close);
    admin.close(Duration.ofSeconds(1));
  }

  private interface Answer<T> {
    T within(long timeout, TimeUnit unit)
        throws InterruptedException, ExecutionException, TimeoutException;
  }

  private static <T> T get(Answer<T> answer) {
    try {
      return answer.within(TIMEOUT_MS, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw unavailable(e);
    } catch (ExecutionException | TimeoutException e) {
      throw unavailable(e);
    }
  }

  private static ProblemException unavailable(@Nullable Exception cause) {
    ProblemException problem =
        new ProblemException(ProblemType.UNAVAILABLE, "Kafka doesn't answer (expected: soon)");
    problem.initCause(cause);
    return problem;
  }
}
