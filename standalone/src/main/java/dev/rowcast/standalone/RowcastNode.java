package dev.rowcast.standalone;

import dev.rowcast.catalog.KafkaCatalog;
import dev.rowcast.config.Configuration;
import dev.rowcast.config.KafkaConfig;
import dev.rowcast.config.RoleConfig;
import dev.rowcast.config.Secret;
import dev.rowcast.config.SourceConfig;
import dev.rowcast.config.TableConfig;
import dev.rowcast.edge.CannotListenException;
import dev.rowcast.edge.Edge;
import dev.rowcast.edge.EdgeParts;
import dev.rowcast.edge.ListeningAddress;
import dev.rowcast.edge.stream.StreamLimits;
import dev.rowcast.event.TableId;
import dev.rowcast.fanout.EdgeTopology;
import dev.rowcast.fanout.FeedSettings;
import dev.rowcast.keys.KafkaApiKeys;
import dev.rowcast.log.TopicCreator;
import dev.rowcast.normalise.NormaliseApplication;
import dev.rowcast.normalise.SourceTables;
import dev.rowcast.policy.Identity;
import dev.rowcast.policy.Scope;
import dev.rowcast.problem.ProblemException;
import dev.rowcast.problem.ProblemType;
import dev.rowcast.source.SourceStatus;
import dev.rowcast.topic.Topics;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One node of Rowcast on a Kafka and a Kafka Connect that run: all parts of one configuration,
 * started in the order in which they need each other and stopped in the opposite one. It starts
 * whole or not at all. Started and closed by one thread; {@link #port} may be read by any.
 */
public final class RowcastNode implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(RowcastNode.class);
  private static final Duration READY_LIMIT = Duration.ofSeconds(60);
  private static final Identity ADMIN =
      new Identity("admin", RoleConfig.ADMIN, Map.of(), Scope.ALL);
  private static final Duration LOOK_EVERY = Duration.ofMillis(20);

  private final Configuration configuration;
  private final Parts parts;
  private final KafkaCatalog catalog;
  private final NativeSources nativeSources;
  private final Set<TableId> released;
  private final EdgeTopology topology;
  private final PrometheusMeterRegistry registry;
  private final KafkaApiKeys apiKeys;
  private final CurrentAccess access;
  private final Edge edge;
  private final int port;

  /**
   * A key that exists before anybody could have made it over HTTP.
   *
   * @param secret what its holder sends
   * @param identity whom it speaks for
   */
  public record NamedKey(String secret, Identity identity) {
    @Override
    public String toString() {
      return "NamedKey[identity=" + identity + "]";
    }
  }

  private RowcastNode(
      Configuration configuration, Path stateDirectory, Map<String, NamedKey> keys, Parts parts)
      throws InterruptedException {
    this.configuration = configuration;
    this.parts = parts;
    KafkaConfig kafka = configuration.kafka();
    Topics topics = new Topics(kafka.topicPrefix(), kafka.retention());
    registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    new JvmMemoryMetrics().bindTo(registry);
    new ProcessorMetrics().bindTo(registry);
    JvmGcMetrics gc = parts.add(new JvmGcMetrics());
    gc.bindTo(registry);
    Secret secret = NodeSecret.of(configuration, stateDirectory);

    TopicCreator.create(clients(kafka), topics, kafka.replicationFactor());
    catalog = parts.add(KafkaCatalog.open(kafka));
    apiKeys = parts.addBeside(KafkaApiKeys.open(kafka, Clock.systemUTC()));
    await("the topic " + topics.catalog().name(), catalog::isReady);
    await("the topic " + topics.keys().name(), apiKeys::isReady);
    keys.forEach((name, key) -> apiKeys.ensure(name, key.secret(), key.identity()));
    Secret adminKey = configuration.auth().adminKey();
    if (adminKey != null) {
      apiKeys.ensure("admin", adminKey.reveal(), ADMIN);
    }

    access = new CurrentAccess(configuration, secret, catalog, registry, Clock.systemUTC());
    topology =
        parts.add(
            EdgeTopology.start(kafka, catalog, FeedSettings.DEFAULT, registry, access.lookups()));
    nativeSources = new NativeSources(configuration, topics);
    released = nativeSources.apply();
    released.forEach(
        table ->
            LOG.warn(
                "{} is listed in the configuration and not captured, as it was released over HTTP"
                    + " (to capture it again: POST /api/ddl/events/tables/{})",
                table,
                table));
    NormaliseApplication normalise =
        parts.addBeside(
            NormaliseApplication.start(
                kafka, SourceTables.of(configuration), catalog, stateDirectory));
    normalise.bindTo(registry);

    edge =
        parts.add(
            new Edge(
                new EdgeParts(
                    configuration.server(),
                    StreamLimits.of(configuration.server().heartbeat()),
                    configuration.tables(),
                    topology.feed(),
                    access,
                    access,
                    apiKeys,
                    catalog,
                    nativeSources.capture(),
                    secret,
                    registry,
                    topology::ready,
                    Clock.systemUTC())));
    apiKeys.onChange(edge::recheck);
    port = edge.start();
  }

  /**
   * Starts a node. Returns once it serves; its sources may need a moment more, see {@link
   * #awaitStreaming}.
   *
   * @param stateDirectory where Kafka Streams keeps its stores
   * @param keys by name, keys that are made unless they are there
   * @throws ProblemException for a configuration that can't be run, saying what is wrong, and for a
   *     part that doesn't answer
   * @throws CannotListenException if HTTP can't be served where it is asked for; nothing was
   *     started then
   */
  public static RowcastNode start(
      Configuration configuration, Path stateDirectory, Map<String, NamedKey> keys) {
    ListeningAddress.requireFree(configuration.server().host(), configuration.server().port());
    Parts started = new Parts();
    try {
      return new RowcastNode(configuration, stateDirectory, keys, started);
    } catch (RuntimeException e) {
      started.close();
      throw e;
    } catch (InterruptedException e) {
      started.close();
      Thread.currentThread().interrupt();
      throw new ProblemException(ProblemType.UNAVAILABLE, "interrupted while starting");
    }
  }

  /**
   * Applies another configuration: roles, rules, what is said of columns, and {@code auth}. Streams
   * whose role or view is another by it end within a heartbeat; the others don't notice.
   *
   * @return the settings that differ and wait for a restart, by their names in the file
   * @throws ProblemException for a configuration that can't be used, and where a changed {@code
   *     admin_key} can't be written or revoked: what held goes on
   */
  synchronized List<String> reload(Configuration next) {
    CurrentAccess.Prepared prepared = access.prepare(next);
    Secret former = access.configuration().auth().adminKey();
    Secret adminKey = next.auth().adminKey();
    if (adminKey != null && !adminKey.equals(former)) {
      apiKeys.ensure("admin", adminKey.reveal(), ADMIN);
    }
    if (former != null && !former.equals(adminKey)) {
      apiKeys.authenticate(former.reveal()).ifPresent(key -> apiKeys.revoke(key.id()));
    }
    access.publish(prepared);
    edge.recheck();
    return Reload.waitingForRestart(configuration, next);
  }

  MeterRegistry registry() {
    return registry;
  }

  /** The port that HTTP is served on. */
  public int port() {
    return port;
  }

  /** The name of a source's connector in Kafka Connect. */
  public String connectorName(String sourceId) {
    return nativeSources.connectorName(sourceId);
  }

  /** Takes the connectors out of Kafka Connect; the databases keep what is captured. */
  public void removeConnectors() {
    nativeSources.remove();
  }

  /**
   * Waits until every source streams and the node has caught up. Tables that somebody released over
   * HTTP aren't waited for.
   *
   * @throws ProblemException where a source fails, with its reason, or time runs out
   */
  public void awaitStreaming() throws InterruptedException {
    await("its sources to stream", () -> topology.ready() && allStream());
  }

  private boolean allStream() {
    Map<String, SourceStatus> statuses = new HashMap<>();
    catalog.sources().forEach(status -> statuses.put(status.source(), status));
    for (SourceConfig source : configuration.sources()) {
      if (configuration.tables().stream().noneMatch(t -> t.sourceId().equals(source.id()))) {
        continue;
      }
      SourceStatus status = statuses.get(source.id());
      if (status == null || status.state() != SourceStatus.State.STREAMING) {
        return false;
      }
    }
    return configuration.tables().stream()
        .map(TableConfig::table)
        .allMatch(table -> released.contains(table) || catalog.table(table).isPresent());
  }

  private static void await(String what, BooleanSupplier condition) throws InterruptedException {
    long deadline = System.nanoTime() + READY_LIMIT.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > deadline) {
        throw new ProblemException(
            ProblemType.UNAVAILABLE, "waited " + READY_LIMIT.toSeconds() + " s for " + what);
      }
      Thread.sleep(LOOK_EVERY.toMillis());
    }
  }

  static Map<String, Object> clients(KafkaConfig kafka) {
    Map<String, Object> clients = new HashMap<>(kafka.properties());
    clients.put("bootstrap.servers", kafka.bootstrapServers());
    return clients;
  }

  @Override
  public void close() {
    parts.close();
  }
}
