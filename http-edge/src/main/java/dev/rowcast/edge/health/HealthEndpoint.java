package dev.rowcast.edge.health;

import dev.rowcast.catalog.Catalog;
import dev.rowcast.config.TableConfig;
import dev.rowcast.event.TableId;
import dev.rowcast.fanout.EventFeed;
import dev.rowcast.problem.ProblemException;
import dev.rowcast.problem.ProblemType;
import dev.rowcast.source.SourceStatus;
import io.javalin.http.Context;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.io.InputStream;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** How this node fares, for load balancers, Prometheus and people; without credentials. */
public final class HealthEndpoint {
  private static final String OPENAPI = "/dev/rowcast/schemas/openapi.yaml";
  private static final int BROKER_PATIENCE_MILLIS = 1_000;
  private static final long RANGE_AGE_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final BooleanSupplier ready;
  private final Catalog catalog;
  private final List<TableId> configured;
  private final EventFeed feed;
  private final PrometheusMeterRegistry registry;
  private final Executor workers;

  /** What the broker said last; kept for a second, so that nobody can have it asked at will. */
  private volatile @Nullable Latest latest;

  private record Latest(CompletableFuture<Long> position, long askedNanos) {}

  /**
   * @param ready whether the node takes requests
   * @param configured the tables that the configuration has captured; who sees that one isn't shall
   *     not have to compare
   * @param workers where the broker is asked
   */
  public HealthEndpoint(
      BooleanSupplier ready,
      Catalog catalog,
      List<TableConfig> configured,
      EventFeed feed,
      PrometheusMeterRegistry registry,
      Executor workers) {
    this.ready = ready;
    this.catalog = catalog;
    this.configured = configured.stream().map(TableConfig::table).sorted().toList();
    this.feed = feed;
    this.registry = registry;
    this.workers = workers;
  }

  public void live(Context ctx) {
    ctx.header("Cache-Control", "no-store").json(Map.of("status", "up"));
  }

  public void ready(Context ctx) {
    ctx.future(
        () ->
            latest()
                .<@Nullable Long>thenApply(position -> position)
                .completeOnTimeout(null, BROKER_PATIENCE_MILLIS, TimeUnit.MILLISECONDS)
                .exceptionally(unreachable -> null)
                .thenAccept(position -> answer(ctx, position)));
  }

  public void metrics(Context ctx) {
    ctx.header("Cache-Control", "no-store")
        .contentType("text/plain; version=0.0.4; charset=utf-8")
        .result(registry.scrape());
  }

  public void openapi(Context ctx) throws IOException {
    try (InputStream yaml = HealthEndpoint.class.getResourceAsStream(OPENAPI)) {
      if (yaml == null) {
        throw new ProblemException(ProblemType.NOT_FOUND, "There is nothing at this path");
      }
      ctx.contentType("application/yaml").result(yaml.readAllBytes());
    }
  }

  private CompletableFuture<Long> latest() {
    Latest known = latest;
    if (known == null || System.nanoTime() - known.askedNanos() > RANGE_AGE_NANOS) {
      known =
          new Latest(
              CompletableFuture.supplyAsync(() -> feed.range().latest(), workers),
              System.nanoTime());
      latest = known;
    }
    return known.position().copy();
  }

  private void answer(Context ctx, @Nullable Long latestPosition) {
    boolean isReady = ready.getAsBoolean();
    Map<String, Object> log = new LinkedHashMap<>();
    log.put("position", feed.position());
    log.put("latest", latestPosition);
    Map<String, Object> body = new LinkedHashMap<>();
    body.put("status", isReady ? "ready" : "not-ready");
    body.put("sources", catalog.sources().stream().map(this::json).toList());
    body.put(
        "notCaptured",
        configured.stream()
            .filter(table -> catalog.table(table).isEmpty())
            .map(TableId::toString)
            .toList());
    body.put("log", log);
    ctx.status(isReady ? 200 : 503).header("Cache-Control", "no-store").json(body);
  }

  private Map<String, Object> json(SourceStatus source) {
    long tables = catalog.tables().stream().filter(t -> t.source().equals(source.source())).count();
    boolean idle = tables == 0 && source.reason() == null; // then there is nothing to lag behind
    Map<String, Object> object = new LinkedHashMap<>();
    object.put("id", source.source());
    object.put("state", source.state().name().toLowerCase(Locale.ROOT).replace('_', '-'));
    object.put("reason", idle ? "none of its tables is captured" : source.reason());
    object.put("tables", tables);
    object.put("lagEvents", known(source.lagEvents(), idle));
    Long lagMillis = known(source.lagMillis(), idle);
    object.put("lagSeconds", lagMillis == null ? null : lagMillis / 1000.0);
    object.put("lastEventUtc", source.lastEvent() == null ? null : source.lastEvent().toString());
    return object;
  }

  private static @Nullable Long known(long lag, boolean idle) {
    return lag >= 0 ? Long.valueOf(lag) : idle ? Long.valueOf(0) : null;
  }
}
