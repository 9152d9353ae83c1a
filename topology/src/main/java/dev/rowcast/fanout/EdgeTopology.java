package dev.rowcast.fanout;

import dev.rowcast.catalog.Catalog;
import dev.rowcast.config.KafkaConfig;
import dev.rowcast.log.EventDecoder;
import dev.rowcast.log.EventLog;
import dev.rowcast.log.KafkaEventLog;
import dev.rowcast.policy.lookup.RowIndexes;
import dev.rowcast.topic.Topics;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.streams.CloseOptions;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.errors.StreamsUncaughtExceptionHandler.StreamThreadExceptionResponse;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What each node runs to see every event: a Kafka Streams application of its own that gives the
 * feed what {@code events} holds from the end noted at start on. Never from committed offsets: who
 * was connected before a restart comes back with a position of their own.
 *
 * <pre>
 * events ──▶ deliver ──▶ LiveFeed
 * </pre>
 *
 * <p>What rules ask for in {@code rows} is read before it starts. Where a thread of Streams fails,
 * another takes its place and goes on after the feed's position: nothing is skipped, and what is
 * read twice the feed ignores. Thread-safe; {@code deliver} runs on the one thread of Streams.
 */
public final class EdgeTopology implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(EdgeTopology.class);
  static final String EVENTS = "events";
  static final String DELIVER = "deliver";

  private final LiveFeed feed;
  private final EventLog log;
  private final KafkaStreams streams;
  private final AtomicReference<Assigned> assigned = new AtomicReference<>(Assigned.NOT_YET);
  private final long start;

  /** Whether the partition of events was given to this node. */
  private enum Assigned {
    NOT_YET,
    YES,
    LOST
  }

  private EdgeTopology(
      KafkaConfig kafka, EventLog log, LiveFeed feed, long start, MeterRegistry registry) {
    this.feed = feed;
    this.log = log;
    this.start = start;
    Topics topics = new Topics(kafka.topicPrefix(), kafka.retention());
    String topic = topics.events().name();
    Counter skipped =
        Counter.builder("rowcast.edge.skipped")
            .description("Records of the outbox that aren't events")
            .register(registry);
    Counter restarts =
        Counter.builder("rowcast.edge.restarts")
            .description("Threads of Streams that failed and were replaced")
            .register(registry);
    this.streams =
        new KafkaStreams(
            topology(topic, feed, skipped),
            settings(kafka),
            new EventsClients(
                kafka.nodeId(), new TopicPartition(topic, 0), this::seekTo, this::lost));
    streams.setUncaughtExceptionHandler(
        failure -> {
          restarts.increment();
          LOG.error("The edge topology failed; it goes on after {}", feed.position(), failure);
          return StreamThreadExceptionResponse.REPLACE_THREAD;
        });
    Gauge.builder("rowcast.edge.lag", this, EdgeTopology::lag)
        .description("Committed records that this node hasn't read; -1 where not known")
        .register(registry);
  }

  /**
   * Opens the outbox, notes its end and starts to follow it.
   *
   * @param catalog what is captured, for the types of columns
   * @throws dev.rowcast.problem.ProblemException {@code UNAVAILABLE} where the broker or the topic
   *     isn't there
   */
  public static EdgeTopology start(
      KafkaConfig kafka, Catalog catalog, FeedSettings settings, MeterRegistry registry) {
    return start(kafka, catalog, settings, registry, new RowIndexes(Map.of()));
  }

  /**
   * As above, with rows that rules ask for: they are read first, so that every stream is judged by
   * them as they are at its events.
   *
   * @param lookups filled here, then kept up to date by the feed
   */
  public static EdgeTopology start(
      KafkaConfig kafka,
      Catalog catalog,
      FeedSettings settings,
      MeterRegistry registry,
      RowIndexes lookups) {
    Topics topics = new Topics(kafka.topicPrefix(), kafka.retention());
    EventLog log = KafkaEventLog.open(clients(kafka), topics.events().name(), settings.readers());
    try {
      long start = upToDate(kafka, topics, log, lookups);
      LiveFeed feed = new LiveFeed(log, catalog, start, settings, registry, lookups);
      EdgeTopology edge = new EdgeTopology(kafka, log, feed, start, registry);
      edge.streams.start();
      return edge;
    } catch (RuntimeException e) {
      log.close();
      throw e;
    }
  }

  private static long upToDate(KafkaConfig kafka, Topics topics, EventLog log, RowIndexes lookups) {
    Map<String, Object> settings = clients(kafka);
    settings.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
    settings.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
    try (var rows =
        new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
      return new RowsBootstrap(log, lookups).upToDate(rows, topics.rows().name());
    }
  }

  /** The whole topology. */
  static Topology topology(String topic, LiveFeed feed, Counter skipped) {
    return new Topology()
        .addSource(EVENTS, new ByteArrayDeserializer(), new ByteArrayDeserializer(), topic)
        .addProcessor(DELIVER, () -> new Deliver(feed, skipped), EVENTS);
  }

  /** Gives each record to the feed; what isn't an event is counted and passed over. */
  private static final class Deliver implements Processor<byte[], byte[], Void, Void> {
    private final LiveFeed feed;
    private final Counter skipped;
    private ProcessorContext<Void, Void> context;

    Deliver(LiveFeed feed, Counter skipped) {
      this.feed = feed;
      this.skipped = skipped;
    }

    @Override
    public void init(ProcessorContext<Void, Void> context) {
      this.context = context;
    }

    @Override
    public void process(Record<byte[], byte[]> record) {
      long offset = context.recordMetadata().orElseThrow().offset();
      if (offset < feed.position()) {
        return;
      }
      var event = EventDecoder.decode(offset, record.value(), record.headers());
      if (event != null) {
        feed.append(event);
      } else {
        skipped.increment();
        LOG.warn("Record at offset {} of the outbox isn't an event; skipped", offset);
        feed.advance(offset + 1);
      }
    }
  }

  private static Map<String, Object> clients(KafkaConfig kafka) {
    Map<String, Object> clients = new HashMap<>(kafka.properties());
    clients.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, kafka.bootstrapServers());
    return clients;
  }

  private static Properties settings(KafkaConfig kafka) {
    Properties settings = new Properties();
    settings.putAll(clients(kafka));
    settings.put(
        StreamsConfig.APPLICATION_ID_CONFIG,
        kafka.topicPrefix() + "rowcast-edge-" + kafka.nodeId());
    settings.put(StreamsConfig.PROCESSING_GUARANTEE_CONFIG, StreamsConfig.AT_LEAST_ONCE);
    settings.put(StreamsConfig.NUM_STREAM_THREADS_CONFIG, 1);
    settings.put("processing.exception.handler.global.enabled", true); // 5.0's default, or it warns
    settings.put(consumer(ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG), 10_000);
    settings.put(consumer(ConsumerConfig.HEARTBEAT_INTERVAL_MS_CONFIG), 2_000);
    settings.put(consumer(ConsumerConfig.ISOLATION_LEVEL_CONFIG), "read_committed");
    settings.put(consumer(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG), "latest");
    settings.put(consumer(ConsumerConfig.MAX_POLL_RECORDS_CONFIG), 2_000);
    return settings;
  }

  private static String consumer(String setting) {
    return StreamsConfig.consumerPrefix(setting);
  }

  /** The partition is this node's: where to read on. On the thread of Streams. */
  private long seekTo(long oldest) {
    if (feed.position() < oldest) {
      LOG.error("The outbox is retained from {} on, this node was at {}", oldest, feed.position());
      feed.restart(oldest);
    }
    assigned.set(Assigned.YES);
    return feed.position();
  }

  private void lost() {
    assigned.set(Assigned.LOST);
  }

  public LiveFeed feed() {
    return feed;
  }

  /** Whether this node follows the outbox: from then on its streams are live. */
  public boolean ready() {
    return streams.state() == KafkaStreams.State.RUNNING
        && assigned.get() == Assigned.YES
        && feed.position() >= start;
  }

  /** How many committed records this node hasn't read; -1 where it isn't known. */
  public double lag() {
    return streams.metrics().values().stream()
        .filter(metric -> metric.metricName().name().equals("records-lag-max"))
        .mapToDouble(metric -> metric.metricValue() instanceof Double lag ? lag : Double.NaN)
        .filter(lag -> !Double.isNaN(lag))
        .max()
        .orElse(-1);
  }

  /** Stops following, and the feed with it. */
  @Override
  public void close() {
    streams.close(
        CloseOptions.timeout(Duration.ofSeconds(5))
            .withGroupMembershipOperation(CloseOptions.GroupMembershipOperation.LEAVE_GROUP));
    feed.close();
    log.close();
  }
}
