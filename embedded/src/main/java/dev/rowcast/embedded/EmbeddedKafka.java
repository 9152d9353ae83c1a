package dev.rowcast.embedded;

import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import kafka.server.KafkaConfig;
import kafka.server.KafkaRaftServer;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.utils.AppInfoParser;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.metadata.storage.Formatter;

/**
 * A Kafka node, broker and controller in one, in this JVM. It listens on 127.0.0.1 only and keeps
 * its topics in a directory: started there again, on the same or on other ports, it goes on where
 * it was. Safe for any thread.
 */
public final class EmbeddedKafka implements AutoCloseable {
  private static final Duration STOP_LIMIT = Duration.ofSeconds(8);
  private static final long FULL_BELOW_BYTES = 16L << 20;

  private final DirectoryLock lock;
  private final KafkaRaftServer server;
  private final int port;
  private final CompletableFuture<String> failure = new CompletableFuture<>();
  private final ProcessExit.Listening exits;
  private final AtomicBoolean closed = new AtomicBoolean();

  private EmbeddedKafka(DirectoryLock lock, int port, int controllerPort, KafkaOptions options) {
    this.lock = lock;
    this.port = port;
    this.exits = ProcessExit.listen(reason -> failure.complete(explain(reason)));
    Properties properties = KafkaSettings.of(lock.directory(), port, controllerPort);
    properties.putAll(options.settings());
    this.server = new KafkaRaftServer(KafkaConfig.fromProps(properties), Time.SYSTEM);
  }

  /**
   * Starts a node on the directory, which is created and formatted if need be. Returns once clients
   * can use it: two to six seconds in a JVM just started, less in a warm one.
   *
   * @throws EmbeddedStartException if a port is taken or the directory can't be written or is in
   *     use
   */
  public static EmbeddedKafka start(Path directory, KafkaOptions options) {
    int port = Ports.resolve(options.brokerPort(), "the Kafka broker");
    int controllerPort = otherThan(port, options.controllerPort());
    DirectoryLock lock = DirectoryLock.acquire(directory);
    EmbeddedKafka kafka;
    try {
      format(lock.directory());
      kafka = new EmbeddedKafka(lock, port, controllerPort, options);
    } catch (Exception e) {
      lock.close();
      throw new EmbeddedStartException(
          "Kafka can't use " + lock.directory() + ": " + EmbeddedStartException.story(e), e);
    }
    try {
      kafka.startUp();
    } catch (EmbeddedStartException e) {
      kafka.close();
      throw e;
    }
    StartedServers.started("Apache Kafka " + AppInfoParser.getVersion() + ", KRaft broker");
    var unused = kafka.failure.thenAccept(options.onFatal());
    return kafka;
  }

  /** Where clients connect, {@code 127.0.0.1:port}. */
  public String bootstrapServers() {
    return Ports.HOST + ":" + port;
  }

  /** The port clients connect to. */
  public int port() {
    return port;
  }

  /** Stops the node and gives its directory up, within about eight seconds. Idempotent. */
  @Override
  public void close() {
    if (closed.compareAndSet(false, true)) {
      Bounded.run(
          "stop-kafka",
          STOP_LIMIT,
          () -> {
            server.shutdown();
            server.awaitShutdown();
          });
      exits.close();
      lock.close();
    }
  }

  /** Kafka reports a fault at start either by throwing or by asking for the process to end. */
  private void startUp() {
    CompletableFuture<Void> started = new CompletableFuture<>();
    Thread starter =
        new Thread(
            () -> {
              try {
                server.startup();
                started.complete(null);
              } catch (Throwable e) {
                started.completeExceptionally(e);
              }
            },
            "start-kafka");
    starter.setDaemon(true);
    starter.start();
    try {
      CompletableFuture.anyOf(started, failure).get();
      if (failure.isDone()) {
        // the exception that usually follows says more
        started.get(2, TimeUnit.SECONDS);
        throw new EmbeddedStartException("Kafka did not start: " + failure.join());
      }
    } catch (ExecutionException e) {
      throw new EmbeddedStartException(
          "Kafka did not start: " + explain(EmbeddedStartException.story(e)), e.getCause());
    } catch (TimeoutException e) {
      throw new EmbeddedStartException("Kafka did not start: " + failure.join(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new EmbeddedStartException("Kafka did not start: interrupted", e);
    }
  }

  private String explain(String reason) {
    Path directory = lock.directory();
    long free = directory.toFile().getUsableSpace();
    return free < FULL_BELOW_BYTES
        ? "the disk of " + directory + " is full (" + (free >> 10) + " KiB free): " + reason
        : reason;
  }

  private static int otherThan(int brokerPort, int controllerPort) {
    int port = Ports.resolve(controllerPort, "the Kafka controller");
    if (port != brokerPort) {
      return port;
    }
    if (controllerPort != 0) {
      throw new EmbeddedStartException(
          "port " + port + " is given to the Kafka broker and its controller (expected: two)");
    }
    return otherThan(brokerPort, 0);
  }

  private static void format(Path directory) throws Exception {
    if (Files.exists(directory.resolve("meta.properties"))) {
      return;
    }
    try (PrintStream quiet =
        new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8)) {
      new Formatter()
          .setPrintStream(quiet)
          .setNodeId(KafkaSettings.NODE_ID)
          .setClusterId(Uuid.randomUuid().toString())
          .setDirectories(List.of(directory.toString()))
          .setMetadataLogDirectory(directory.toString())
          .setControllerListenerName(KafkaSettings.CONTROLLER_LISTENER)
          .run();
    }
  }
}
