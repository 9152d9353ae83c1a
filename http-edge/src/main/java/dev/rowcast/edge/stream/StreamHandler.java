package dev.rowcast.edge.stream;

import dev.rowcast.edge.auth.Access;
import dev.rowcast.edge.auth.Authenticator;
import dev.rowcast.edge.metrics.EdgeMetrics;
import dev.rowcast.edge.problem.ProblemJson;
import dev.rowcast.edge.problem.Problems;
import dev.rowcast.edge.request.TableNames;
import dev.rowcast.fanout.EventFeed;
import dev.rowcast.fanout.Subscription;
import dev.rowcast.problem.Problem;
import dev.rowcast.problem.ProblemType;
import java.nio.ByteBuffer;
import java.time.Clock;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Supplier;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/**
 * Answers the paths of streams, below Javalin: the servlet API's writes block, or take a lock.
 * Everything else passes. What is matched is the path that Jetty resolved, so that no spelling of
 * it reaches a stream by another way. Thread-safe.
 */
public final class StreamHandler extends Handler.Wrapper {
  private final StreamHome home;
  private final StreamRequests requests;
  private final Authenticator authenticator;
  private final Supplier<Access> access;
  private final Executor workers;
  private final EdgeMetrics metrics;
  private final Clock clock;

  /**
   * @param workers where cursors are resolved, which may ask the broker
   */
  public StreamHandler(
      StreamHome home,
      Authenticator authenticator,
      TableNames names,
      Supplier<Access> access,
      Executor workers,
      EdgeMetrics metrics,
      Clock clock) {
    this.home = home;
    this.requests = new StreamRequests(authenticator, names, () -> access.get().policy());
    this.authenticator = authenticator;
    this.access = access;
    this.workers = workers;
    this.metrics = metrics;
    this.clock = clock;
  }

  @Override
  public boolean handle(Request request, Response response, Callback callback) throws Exception {
    StreamRoute route = StreamRoute.match(Request.getPathInContext(request));
    if (route == null) {
      return super.handle(request, response, callback);
    }
    Exchange exchange = new Exchange(route, request, response, callback);
    switch (request.getMethod()) {
      case "GET", "HEAD" -> open(exchange);
      case "OPTIONS" -> {
        response.setStatus(204);
        response.getHeaders().put(HttpHeader.ALLOW, StreamRoute.ALLOW);
        metrics.answered(route.template(), 204);
        callback.succeeded();
      }
      default ->
          refuse(exchange, Problems.methodNotAllowed(request.getMethod(), StreamRoute.ALLOW));
    }
    return true;
  }

  /** One request and where its answer goes. */
  private record Exchange(
      StreamRoute route, Request request, Response response, Callback callback) {}

  private void open(Exchange exchange) {
    try {
      StreamRequest asked = requests.read(exchange.request(), exchange.route().table());
      switch (home.admit(asked.caller().credential().id())) {
        case ADMITTED -> openAdmitted(exchange, asked);
        case OVERLOADED -> {
          startAnswer(exchange);
          exchange.response().write(true, ControlFrames.overloaded(), exchange.callback());
        }
        case TOO_MANY_OF_KEY ->
            refuse(
                exchange,
                ProblemJson.of(
                    new Problem(
                        ProblemType.TOO_MANY_REQUESTS,
                        "The key has as many open streams as it may ("
                            + home.limits().maxStreamsPerKey()
                            + ")")));
      }
    } catch (RuntimeException e) {
      refuse(exchange, Problems.of(e));
    }
  }

  private void openAdmitted(Exchange exchange, StreamRequest asked) {
    if (asked.live()) {
      begin(exchange, asked);
      return;
    }
    try {
      workers.execute(() -> begin(exchange, asked));
    } catch (RejectedExecutionException e) {
      home.giveBack(asked.caller().credential().id());
      refuse(
          exchange,
          ProblemJson.of(
              new Problem(ProblemType.UNAVAILABLE, "Too many replays are starting; try again")));
    }
  }

  private void begin(Exchange exchange, StreamRequest asked) {
    EventStream stream;
    Subscription subscription;
    try {
      stream = stream(exchange, asked);
      if (exchange.request().getMethod().equals("HEAD")) {
        home.giveBack(asked.caller().credential().id());
        startAnswer(exchange);
        exchange.response().write(true, ByteBuffer.allocate(0), exchange.callback());
        return;
      }
      subscription = subscribe(asked, stream);
    } catch (RuntimeException e) {
      home.giveBack(asked.caller().credential().id());
      refuse(exchange, Problems.of(e));
      return;
    }
    startAnswer(exchange);
    stream.start(subscription);
  }

  private EventStream stream(Exchange exchange, StreamRequest asked) {
    Standing standing =
        new Standing(authenticator, access, clock, asked.caller(), asked.audience().view());
    return new EventStream(
        home, asked, standing, exchange.request(), exchange.response(), exchange.callback());
  }

  private Subscription subscribe(StreamRequest asked, EventStream stream) {
    EventFeed feed = home.feed();
    if (asked.since() == null || asked.live()) {
      return feed.subscribeLive(asked.audience(), asked.shape(), stream::wake);
    }
    long after = feed.resolve(asked.since());
    return feed.subscribeAfter(asked.audience(), asked.shape(), after, stream::wake);
  }

  private void startAnswer(Exchange exchange) {
    HttpFields.Mutable headers = exchange.response().getHeaders();
    exchange.response().setStatus(200);
    headers.put(HttpHeader.CONTENT_TYPE, "text/event-stream");
    headers.put(HttpHeader.CACHE_CONTROL, "no-store, no-transform");
    headers.put("X-Accel-Buffering", "no");
    metrics.answered(exchange.route().template(), 200);
  }

  private void refuse(Exchange exchange, ProblemJson problem) {
    metrics.answered(exchange.route().template(), problem.status());
    Problems.send(exchange.response(), exchange.callback(), problem);
  }
}
