package dev.rowcast.edge.stream;

import dev.rowcast.edge.metrics.EdgeMetrics;
import dev.rowcast.fanout.EventFeed;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the open streams of a node share: the count of them, the threads that write, and the one
 * clockwork for heartbeats, coalescing and second looks at credentials. Thread-safe.
 */
public final class StreamHome implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(StreamHome.class);

  private static final int RECHECK_MILLIS = 20;
  private static final int RECHECK_SLICE = 100;

  /** Whether a stream may be opened. */
  enum Admission {
    ADMITTED,
    TOO_MANY_OF_KEY,
    OVERLOADED
  }

  private final EventFeed feed;
  private final StreamLimits limits;
  private final EdgeMetrics metrics;
  private final ExecutorService writers;
  private final ScheduledThreadPoolExecutor pulse;

  private final Set<EventStream> open = ConcurrentHashMap.newKeySet();
  private final ConcurrentHashMap<String, Integer> admittedByKey = new ConcurrentHashMap<>();
  private final AtomicInteger admitted = new AtomicInteger();
  private final AtomicBoolean rechecking = new AtomicBoolean();
  private volatile boolean closing;

  public StreamHome(EventFeed feed, StreamLimits limits, EdgeMetrics metrics) {
    this.feed = feed;
    this.limits = limits;
    this.metrics = metrics;
    int threads = Math.max(1, Runtime.getRuntime().availableProcessors() / 2);
    writers = Executors.newFixedThreadPool(threads, named("stream-writer"));
    pulse = new ScheduledThreadPoolExecutor(1, named("stream-pulse"));
    pulse.setRemoveOnCancelPolicy(true);
    pulse.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    metrics.openStreams(admitted::get);
  }

  private static ThreadFactory named(String name) {
    AtomicInteger number = new AtomicInteger();
    return task -> {
      Thread thread = new Thread(task, "rowcast-" + name + "-" + number.incrementAndGet());
      thread.setDaemon(true);
      return thread;
    };
  }

  EventFeed feed() {
    return feed;
  }

  StreamLimits limits() {
    return limits;
  }

  EdgeMetrics metrics() {
    return metrics;
  }

  Executor writers() {
    return writers;
  }

  ScheduledExecutorService pulse() {
    return pulse;
  }

  /** Takes a place; one that isn't opened afterwards is to be given back by {@link #giveBack}. */
  Admission admit(String credentialId) {
    if (closing) {
      return Admission.OVERLOADED;
    }
    if (admitted.incrementAndGet() > limits.maxStreams()) {
      admitted.decrementAndGet();
      return Admission.OVERLOADED;
    }
    if (admittedByKey.merge(credentialId, 1, Integer::sum) > limits.maxStreamsPerKey()) {
      giveBack(credentialId);
      return Admission.TOO_MANY_OF_KEY;
    }
    return Admission.ADMITTED;
  }

  void giveBack(String credentialId) {
    admitted.decrementAndGet();
    admittedByKey.computeIfPresent(credentialId, (k, n) -> n > 1 ? n - 1 : null);
  }

  void opened(EventStream stream) {
    open.add(stream);
    if (closing) {
      stream.end(ControlFrames.goodbye(), "shutdown");
    }
  }

  void closed(EventStream stream, String reason) {
    open.remove(stream);
    giveBack(stream.credentialId());
    metrics.streamEnded(reason);
  }

  boolean closing() {
    return closing;
  }

  /**
   * Has all open streams look soon whether they may go on, a few at a time, so that heartbeats have
   * their turn in between. Doesn't block; calls that come close together are one.
   */
  public void recheck() {
    if (!closing && !rechecking.getAndSet(true)) {
      var unused = pulse.schedule(this::recheckAll, RECHECK_MILLIS, TimeUnit.MILLISECONDS);
    }
  }

  private void recheckAll() {
    rechecking.set(false); // what changes from here on is another round's
    recheckSome(List.copyOf(open).iterator());
  }

  private void recheckSome(Iterator<EventStream> streams) {
    for (int i = 0; i < RECHECK_SLICE && streams.hasNext(); i++) {
      streams.next().recheck();
    }
    if (streams.hasNext()) {
      pulse.execute(() -> recheckSome(streams));
    }
  }

  void broken(RuntimeException e) {
    LOG.error("a stream failed and is dropped", e);
  }

  /** How many streams are open or about to be. */
  public int size() {
    return admitted.get();
  }

  /** Tells all clients to come back later, each at a time of its own, and lets none in. */
  public void close(Duration patience) {
    closing = true;
    for (EventStream stream : open) {
      stream.end(ControlFrames.goodbye(), "shutdown");
    }
    if (!open.isEmpty()) {
      awaitNone(patience);
    }
    for (EventStream stream : open) {
      stream.drop("shutdown-stalled");
    }
  }

  private void awaitNone(Duration patience) {
    if (patience.isZero()) {
      return;
    }
    CountDownLatch none = new CountDownLatch(1);
    var watch =
        pulse.scheduleWithFixedDelay(
            () -> {
              if (open.isEmpty()) {
                none.countDown();
              }
            },
            0,
            5,
            TimeUnit.MILLISECONDS);
    try {
      if (!none.await(patience.toMillis(), TimeUnit.MILLISECONDS)) {
        LOG.warn("{} streams didn't take their farewell in time", open.size());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      watch.cancel(false);
    }
  }

  @Override
  public void close() {
    close(Duration.ZERO);
    pulse.shutdownNow();
    writers.shutdown();
  }
}
