package dev.rowcast.edge;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.rowcast.edge.auth.Authenticator;
import dev.rowcast.edge.auth.Managers;
import dev.rowcast.edge.auth.StreamTokens;
import dev.rowcast.edge.capture.CaptureEndpoint;
import dev.rowcast.edge.health.HealthEndpoint;
import dev.rowcast.edge.keys.KeyJson;
import dev.rowcast.edge.keys.KeysEndpoint;
import dev.rowcast.edge.metrics.EdgeMetrics;
import dev.rowcast.edge.policy.DryRunEndpoint;
import dev.rowcast.edge.policy.ExplainEndpoint;
import dev.rowcast.edge.poll.ChangesEndpoint;
import dev.rowcast.edge.request.TableNames;
import dev.rowcast.edge.stream.StreamHandler;
import dev.rowcast.edge.stream.StreamHome;
import dev.rowcast.edge.stream.TokenEndpoint;
import dev.rowcast.policy.Policy;
import java.time.Duration;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/**
 * All of Rowcast's HTTP on one port. {@link #start} once, {@link #close} once; thread-safe.
 *
 * <p>Streams are served by a Jetty handler, everything else by Javalin.
 */
public final class Edge implements AutoCloseable {
  private static final Duration FAREWELL = Duration.ofSeconds(4);
  private static final int WORKERS = 8;
  private static final int WAITING_FOR_WORKERS = 10_000;

  private final StreamHome streams;
  private final ChangesEndpoint changes;
  private final ThreadPoolExecutor workers;
  private final HttpServer server;
  private volatile boolean closing;

  public Edge(EdgeParts parts) {
    workers = workers();
    EdgeMetrics metrics = new EdgeMetrics(parts.registry());
    StreamTokens tokens =
        new StreamTokens(
            parts.secret().reveal().getBytes(UTF_8), parts.server().tokenLifetime(), parts.clock());
    Authenticator authenticator =
        new Authenticator(parts.keys(), tokens, parts.access(), parts.clock());
    Supplier<Policy> policy = () -> parts.access().get().policy();
    Supplier<Managers> managers = () -> parts.access().get().managers();
    TableNames names = new TableNames(parts.catalog(), parts.tables());
    streams = new StreamHome(parts.feed(), parts.limits(), metrics);
    changes =
        new ChangesEndpoint(
            authenticator, names, policy, parts.feed(), parts.server().maxPageBytes(), workers);
    Routes routes =
        new Routes(
            authenticator,
            new TokenEndpoint(authenticator, tokens, names, policy),
            changes,
            new CaptureEndpoint(authenticator, managers, parts.catalog(), names, parts.capture()),
            new KeysEndpoint(
                authenticator,
                managers,
                parts.keys(),
                new KeyJson(names, parts.catalog()),
                parts.clock()),
            new ExplainEndpoint(authenticator, parts.access(), parts.feed(), parts.keys(), workers),
            new DryRunEndpoint(
                authenticator,
                managers,
                parts.feed(),
                parts.keys(),
                parts.proposals(),
                workers,
                parts.clock()),
            new HealthEndpoint(
                () -> !closing && parts.ready().getAsBoolean(),
                parts.catalog(),
                parts.tables(),
                parts.feed(),
                parts.registry(),
                workers));
    StreamHandler handler =
        new StreamHandler(
            streams, authenticator, names, parts.access(), workers, metrics, parts.clock());
    server = new HttpServer(parts.server(), routes, handler, metrics);
  }

  /**
   * Listens.
   *
   * @return the port, where the configuration left it open
   * @throws CannotListenException if the port is taken, or no address of this machine
   */
  public int start() {
    return server.start();
  }

  /**
   * Has every stream look soon whether its credential, role and view are what they were: to be
   * called after keys or the access changed. Streams look by themselves within a heartbeat; this
   * only makes it sooner. Doesn't block; any thread.
   */
  public void recheck() {
    streams.recheck();
  }

  /** How many streams are open. */
  public int openStreams() {
    return streams.size();
  }

  /**
   * Goes away in good order: not ready, streams told to come back later and new ones too, polls
   * answered; within ten seconds.
   */
  @Override
  public void close() {
    if (closing) {
      return;
    }
    closing = true;
    changes.close();
    streams.close(FAREWELL);
    try {
      server.close();
    } finally {
      // a client that doesn't let go must not keep the rest from going
      streams.close();
      workers.shutdownNow();
    }
  }

  private static ThreadPoolExecutor workers() {
    AtomicInteger number = new AtomicInteger();
    ThreadPoolExecutor workers =
        new ThreadPoolExecutor(
            WORKERS,
            WORKERS,
            30,
            TimeUnit.SECONDS,
            new ArrayBlockingQueue<>(WAITING_FOR_WORKERS),
            task -> {
              Thread thread = new Thread(task, "rowcast-edge-worker-" + number.incrementAndGet());
              thread.setDaemon(true);
              return thread;
            });
    workers.allowCoreThreadTimeOut(true);
    return workers;
  }
}
