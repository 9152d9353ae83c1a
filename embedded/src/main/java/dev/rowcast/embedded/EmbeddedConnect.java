package dev.rowcast.embedded;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import org.apache.kafka.common.config.provider.EnvVarConfigProvider;
import org.apache.kafka.common.config.provider.FileConfigProvider;
import org.apache.kafka.common.utils.AppInfoParser;
import org.apache.kafka.connect.cli.ConnectDistributed;
import org.apache.kafka.connect.json.JsonConverter;
import org.apache.kafka.connect.runtime.Connect;
import org.apache.kafka.connect.runtime.distributed.DistributedHerder;

/**
 * A distributed Kafka Connect worker in this JVM, with exactly-once support for sources and its
 * REST interface on 127.0.0.1. Connectors and their offsets live in Kafka topics, so a worker
 * started again with the same names goes on where the last one stopped. Connector configurations
 * may take secrets from {@code ${env:NAME}} and {@code ${file:path:key}}. Safe for any thread.
 */
public final class EmbeddedConnect implements AutoCloseable {
  private static final Duration START_LIMIT = Duration.ofMinutes(3);
  private static final Duration STOP_LIMIT = Duration.ofSeconds(8);

  private final Connect<DistributedHerder> connect;
  private final CompletableFuture<String> failure;
  private final ProcessExit.Listening exits;
  private final AtomicBoolean closed = new AtomicBoolean();

  private EmbeddedConnect(
      Connect<DistributedHerder> connect,
      CompletableFuture<String> failure,
      ProcessExit.Listening exits) {
    this.connect = connect;
    this.failure = failure;
    this.exits = exits;
  }

  /**
   * Starts a worker on a cluster. Returns once it accepts connectors: about three seconds.
   *
   * @param bootstrapServers the cluster that keeps its topics and that sources write to
   * @throws EmbeddedStartException if the port is taken or the cluster can't be used
   */
  public static EmbeddedConnect start(String bootstrapServers, ConnectOptions options) {
    int port = Ports.resolve(options.restPort(), "Kafka Connect");
    Map<String, String> worker = workerProperties(bootstrapServers, port, options);
    CompletableFuture<String> failure = new CompletableFuture<>();
    ProcessExit.Listening exits = ProcessExit.listen(failure::complete);
    EmbeddedConnect embedded;
    try {
      // the command's class does all the wiring: stores, herder, REST
      Connect<DistributedHerder> connect = new ConnectDistributed().startConnect(worker);
      embedded = new EmbeddedConnect(connect, failure, exits);
    } catch (RuntimeException e) {
      exits.close();
      throw new EmbeddedStartException(
          "Kafka Connect did not start: " + EmbeddedStartException.story(e), e);
    }
    try {
      embedded.awaitReady();
    } catch (EmbeddedStartException e) {
      embedded.close();
      throw e;
    }
    StartedServers.started(
        "Kafka Connect "
            + AppInfoParser.getVersion()
            + ", distributed worker, exactly-once sources");
    var unused = failure.thenAccept(options.onFatal());
    return embedded;
  }

  /** The REST interface, {@code http://127.0.0.1:port}, without a slash at its end. */
  public URI url() {
    String url = connect.rest().serverUrl().toString();
    return URI.create(url.endsWith("/") ? url.substring(0, url.length() - 1) : url);
  }

  /** Stops connectors, tasks and the worker, within about eight seconds. Idempotent. */
  @Override
  public void close() {
    if (closed.compareAndSet(false, true)) {
      Bounded.run(
          "stop-connect",
          STOP_LIMIT,
          () -> {
            connect.stop();
            connect.awaitStop();
          });
      exits.close();
    }
  }

  /** The herder tells nobody when it is ready, it can only be asked. */
  private void awaitReady() {
    long deadline = System.nanoTime() + START_LIMIT.toNanos();
    try {
      while (!connect.herder().isReady()) {
        if (failure.isDone()) {
          throw new EmbeddedStartException("Kafka Connect did not start: " + failure.join());
        }
        if (connect.herderTask().isDone() || System.nanoTime() > deadline) {
          throw new EmbeddedStartException(
              "Kafka Connect did not start within " + START_LIMIT.toSeconds() + " s, see its log");
        }
        Thread.sleep(5);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new EmbeddedStartException("Kafka Connect did not start: interrupted", e);
    }
  }

  private static Map<String, String> workerProperties(
      String bootstrapServers, int port, ConnectOptions options) {
    Map<String, String> w = new HashMap<>();
    w.put("bootstrap.servers", bootstrapServers);
    w.put("listeners", "http://" + Ports.HOST + ":" + port);
    w.put("group.id", options.groupId());
    for (String[] topic :
        new String[][] {{"config", "configs"}, {"offset", "offsets"}, {"status", "status"}}) {
      w.put(topic[0] + ".storage.topic", options.topicPrefix() + topic[1]);
      w.put(topic[0] + ".storage.replication.factor", "1");
    }
    w.put("offset.storage.partitions", "1");
    w.put("status.storage.partitions", "1");
    w.put("exactly.once.source.support", "enabled");
    w.put("connector.client.config.override.policy", "All");
    w.put("key.converter", JsonConverter.class.getName());
    w.put("value.converter", JsonConverter.class.getName());
    w.put("config.providers", "env,file");
    w.put("config.providers.env.class", EnvVarConfigProvider.class.getName());
    w.put("config.providers.file.class", FileConfigProvider.class.getName());
    w.put("plugin.discovery", "service_load");
    if (!options.pluginPath().isEmpty()) {
      w.put(
          "plugin.path",
          options.pluginPath().stream()
              .map(Path::toAbsolutePath)
              .map(Path::toString)
              .collect(Collectors.joining(",")));
    }
    alone(w);
    w.putAll(options.settings());
    return w;
  }

  /** Nobody to wait for but a predecessor that died: short sessions, no delayed rebalances. */
  private static void alone(Map<String, String> w) {
    w.put("scheduled.rebalance.max.delay.ms", "0");
    w.put("session.timeout.ms", "6000");
    w.put("heartbeat.interval.ms", "1500");
    w.put("rebalance.timeout.ms", "10000");
    w.put("task.shutdown.graceful.timeout.ms", "3000");
    w.put("offset.flush.interval.ms", "5000");
    w.put("metadata.recovery.strategy", "rebootstrap");
  }
}
