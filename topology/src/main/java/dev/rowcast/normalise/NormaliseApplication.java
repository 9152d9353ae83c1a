package dev.rowcast.normalise;

import dev.rowcast.catalog.KafkaCatalog;
import dev.rowcast.config.KafkaConfig;
import dev.rowcast.event.TableId;
import dev.rowcast.normalise.NormaliseTopology.RowStore;
import dev.rowcast.source.SourceStatus;
import dev.rowcast.source.SourceStatus.State;
import dev.rowcast.source.Strategy;
import dev.rowcast.source.TableDescriptor;
import dev.rowcast.topic.Topics;
import io.micrometer.core.instrument.MeterRegistry;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.streams.CloseOptions;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.errors.StreamsUncaughtExceptionHandler.StreamThreadExceptionResponse;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps {@link NormaliseTopology} running and tells the catalog how its sources fare.
 *
 * <p>A thread that fails is replaced, five times within a minute; then the sources are reported
 * failed with the reason, and the application is started again after {@link #RETRY}. A source whose
 * topic is missing is reported failed and read once the topic exists; the others go on. A topic
 * that was made anew is read from its beginning.
 *
 * <p>One thread of its own, {@code normalise}, starts, stops and reports. Thread-safe.
 */
public final class NormaliseApplication implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(NormaliseApplication.class);
  private static final Duration LOOK = Duration.ofSeconds(2);
  private static final Duration RETRY = Duration.ofSeconds(10);
  private static final Duration STOP_LIMIT = Duration.ofSeconds(5);

  private final KafkaConfig kafka;
  private final List<SourceTable> tables;
  private final KafkaCatalog catalog;
  private final Path stateDirectory;
  private final RowStore store;
  private final Map<TableId, TableCounts> counts = new HashMap<>();
  private final SourceTopics topics;
  private final SourceReports reports;
  private final RestartBudget restarts = new RestartBudget();
  private final CountDownLatch closing = new CountDownLatch(1);
  private final Thread supervisor;

  // written by the supervisor only
  private volatile @Nullable KafkaStreams streams;
  private volatile State state = State.STARTING;
  private List<SourceTable> read = List.of();
  private Instant retryAt = Instant.EPOCH;
  private boolean announced;

  /** Why the threads failed last; null once they run again. */
  private volatile @Nullable String failure;

  private NormaliseApplication(
      KafkaConfig kafka,
      List<SourceTable> tables,
      KafkaCatalog catalog,
      Path stateDirectory,
      RowStore store) {
    SourceTables.requireOwnTopics(tables);
    this.kafka = kafka;
    this.tables = List.copyOf(tables);
    this.catalog = catalog;
    this.stateDirectory = stateDirectory;
    this.store = store;
    tables.forEach(table -> counts.put(table.table(), new TableCounts()));
    this.topics = new SourceTopics(kafka, tables.stream().map(SourceTable::topic).toList());
    this.reports = new SourceReports(tables);
    this.supervisor = new Thread(this::run, "normalise");
    supervisor.setDaemon(true);
  }

  /**
   * Starts; returns at once. Rowcast's own topics must exist.
   *
   * @param tables what is read, see {@link SourceTables#of}; none is fine
   * @param catalog where tables and states of sources are told; stays the caller's to close
   * @param stateDirectory for the local copy of the rows; of this node alone
   */
  public static NormaliseApplication start(
      KafkaConfig kafka, List<SourceTable> tables, KafkaCatalog catalog, Path stateDirectory) {
    return start(kafka, tables, catalog, stateDirectory, RowStore.DISK);
  }

  /** As {@link #start(KafkaConfig, List, KafkaCatalog, Path)}, with rows where you want them. */
  public static NormaliseApplication start(
      KafkaConfig kafka,
      List<SourceTable> tables,
      KafkaCatalog catalog,
      Path stateDirectory,
      RowStore store) {
    NormaliseApplication application =
        new NormaliseApplication(kafka, tables, catalog, stateDirectory, store);
    application.supervisor.start();
    return application;
  }

  /** What the application does, whatever is with single topics. */
  public State state() {
    return failure == null ? state : State.FAILED;
  }

  /** What was done for a table on this node since the start; null for one that isn't read. */
  public @Nullable TableCounts counts(TableId table) {
    return counts.get(table);
  }

  /** Makes the counts of all tables metrics: {@code rowcast.normalise.…}, by table. */
  public void bindTo(MeterRegistry registry) {
    counts.forEach((table, tableCounts) -> tableCounts.bindTo(registry, table));
  }

  /** Stops within a few seconds and lets other nodes go on at once. Idempotent. */
  @Override
  public void close() {
    closing.countDown();
    supervisor.interrupt();
    try {
      supervisor.join(STOP_LIMIT.plusSeconds(3).toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void run() {
    while (closing.getCount() > 0) {
      try {
        look(Instant.now());
      } catch (RuntimeException e) {
        if (closing.getCount() > 0) {
          LOG.warn("normalise: {}; looking again", e.toString());
        }
      }
      pause();
    }
    stop();
    topics.close();
  }

  private void look(Instant now) {
    boolean anew = topics.refresh();
    List<SourceTable> readable =
        tables.stream().filter(table -> !topics.hasOtherPartitions(table.topic())).toList();
    if (streams != null && (anew || !readable.equals(read))) {
      LOG.warn("normalise: topics have changed; starting again");
      stop();
      retryAt = Instant.EPOCH;
    }
    keepRunning(now, readable);
    if (!announced && catalog.isReady()) {
      announce();
      announced = true;
    }
    for (SourceStatus status :
        reports.report(now, state, failure, topics::fault, topics.progress(), counts)) {
      catalog.put(status);
    }
  }

  private void keepRunning(Instant now, List<SourceTable> readable) {
    KafkaStreams current = streams;
    if (current != null && current.state().hasStartedOrFinishedShuttingDown()) {
      stop();
      retryAt = now.plus(RETRY);
      state = State.STARTING;
    } else if (current != null) {
      if (current.state() == KafkaStreams.State.RUNNING) {
        state = State.STREAMING;
        failure = null;
      }
      return;
    }
    if (!readable.isEmpty() && !now.isBefore(retryAt)) {
      startStreams(readable);
    }
  }

  private void startStreams(List<SourceTable> readable) {
    read = readable;
    PollEnds pollEnds = new PollEnds();
    KafkaStreams next =
        new KafkaStreams(
            NormaliseTopology.of(
                readable,
                new Topics(kafka.topicPrefix(), kafka.retention()),
                store,
                counts::get,
                topics::incarnation,
                pollEnds),
            NormaliseSettings.of(kafka, stateDirectory, pollEnds));
    next.setUncaughtExceptionHandler(this::onFailure);
    streams = next;
    next.start();
  }

  private StreamThreadExceptionResponse onFailure(Throwable e) {
    LOG.error("normalise: a thread failed", e);
    if (restarts.spend(Instant.now())) {
      return StreamThreadExceptionResponse.REPLACE_THREAD;
    }
    Throwable cause = e;
    while (cause.getCause() != null) {
      cause = cause.getCause();
    }
    failure = cause.getClass().getSimpleName() + ": " + cause.getMessage();
    return StreamThreadExceptionResponse.SHUTDOWN_CLIENT;
  }

  private void stop() {
    KafkaStreams current = streams;
    if (current != null) {
      boolean interrupted = Thread.interrupted(); // it would not wait
      current.close(
          CloseOptions.groupMembershipOperation(CloseOptions.GroupMembershipOperation.LEAVE_GROUP)
              .withTimeout(STOP_LIMIT));
      streams = null;
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** Tells of the tables that are read, and withdraws those that were read and are no more. */
  private void announce() {
    for (SourceTable table : tables) {
      if (!catalog.table(table.table()).equals(Optional.of(table.descriptor()))) {
        catalog.put(table.descriptor());
      }
    }
    for (TableDescriptor told : catalog.tables()) {
      if (told.strategy() == Strategy.KAFKA && !counts.containsKey(told.table())) {
        catalog.remove(told.table());
      }
    }
  }

  private void pause() {
    try {
      if (closing.await(LOOK.toMillis(), TimeUnit.MILLISECONDS)) {
        LOG.debug("normalise: closing");
      }
    } catch (InterruptedException e) {
      closing.countDown(); // only close() interrupts, and has said so already
    }
  }
}
