package dev.rowcast.edge;

import dev.rowcast.config.ServerConfig;
import dev.rowcast.edge.metrics.EdgeMetrics;
import dev.rowcast.edge.problem.Problems;
import dev.rowcast.edge.request.CrossOrigin;
import dev.rowcast.edge.stream.StreamHandler;
import io.javalin.Javalin;
import io.javalin.config.JavalinConfig;
import io.javalin.http.Context;
import io.javalin.util.JavalinException;
import org.eclipse.jetty.server.Connector;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Javalin and the Jetty below it, set up for many open connections. Used by one thread. */
final class HttpServer implements AutoCloseable {
  /** The default of 50 has a thousand clients that come at once wait for seconds. */
  private static final int ACCEPT_QUEUE = 4096;

  /** Longer than the longest poll. */
  private static final int IDLE_MILLIS = 60_000;

  private static final int SHUTDOWN_IDLE_MILLIS = 200;
  private static final int STOP_MILLIS = 2_000;
  private static final int MAX_THREADS = 100;
  private static final int MAX_HEADER_BYTES = 16 << 10;

  private static final Logger LOG = LoggerFactory.getLogger(HttpServer.class);

  private final ServerConfig config;
  private final Javalin javalin;
  private @Nullable ServerConnector connector;

  HttpServer(ServerConfig config, Routes routes, StreamHandler streams, EdgeMetrics metrics) {
    this.config = config;
    javalin =
        Javalin.create(
            javalin -> {
              configure(javalin);
              javalin.jetty.modifyServer(server -> prepare(server, streams));
              javalin.requestLogger.http(
                  (ctx, ms) -> metrics.answered(route(ctx), ctx.statusCode()));
              Problems.install(javalin);
              routes.install(javalin.routes);
            });
  }

  private void configure(JavalinConfig javalin) {
    javalin.startup.showJavalinBanner = false;
    javalin.startup.showOldJavalinVersionWarning = false;
    javalin.http.prefer405over404 = true;
    javalin.router.ignoreTrailingSlashes = false;
    QueuedThreadPool threads = new QueuedThreadPool(MAX_THREADS, 4);
    threads.setName("rowcast-http");
    javalin.jetty.threadPool = threads;
    javalin.jetty.modifyHttpConfiguration(HttpServer::prepare);
    javalin.jetty.addConnector(this::connect);
    javalin.jetty.modifyServletContextHandler(context -> context.setErrorHandler(Problems.jetty()));
  }

  private static void prepare(HttpConfiguration http) {
    http.setSendServerVersion(false);
    http.setRequestHeaderSize(MAX_HEADER_BYTES);
  }

  private void prepare(Server server, StreamHandler streams) {
    server.setErrorHandler(Problems.jetty());
    server.insertHandler(streams);
    server.insertHandler(new CrossOrigin(config.allowedOrigins()));
  }

  private Connector connect(Server server, HttpConfiguration http) {
    ServerConnector made = new ServerConnector(server, 1, 1, new HttpConnectionFactory(http));
    made.setHost(config.host());
    made.setPort(config.port());
    made.setAcceptQueueSize(ACCEPT_QUEUE);
    made.setIdleTimeout(IDLE_MILLIS);
    made.setShutdownIdleTimeout(SHUTDOWN_IDLE_MILLIS);
    connector = made;
    return made;
  }

  /** The template that matched; one word for all that matched none. */
  private static String route(Context ctx) {
    var matched = ctx.endpoints().lastHttpEndpoint();
    return matched == null ? "unmatched" : matched.path;
  }

  int start() {
    try {
      javalin.start();
    } catch (JavalinException e) {
      throw new CannotListenException(config.host(), config.port(), e);
    }
    // only now: Javalin sets its own of more than we have. Streams and polls have ended by then
    javalin.jettyServer().server().setStopTimeout(STOP_MILLIS);
    ServerConnector listening = connector;
    if (listening == null) {
      throw new IllegalStateException("not listening");
    }
    return listening.getLocalPort();
  }

  @Override
  public void close() {
    try {
      javalin.stop();
    } catch (RuntimeException e) {
      // Jetty has stopped all the same, and whoever closes us has more to close
      LOG.warn("Requests or connections were cut off: {}", e.toString());
    }
  }
}
