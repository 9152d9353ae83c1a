package dev.rowcast.edge;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.rowcast.catalog.Catalog;
import dev.rowcast.config.JwtConfig;
import dev.rowcast.config.RoleConfig;
import dev.rowcast.config.Secret;
import dev.rowcast.config.ServerConfig;
import dev.rowcast.config.TableConfig;
import dev.rowcast.edge.auth.Access;
import dev.rowcast.edge.auth.Managers;
import dev.rowcast.edge.jwt.JsonWebTokens;
import dev.rowcast.edge.policy.Proposals;
import dev.rowcast.edge.stream.StreamLimits;
import dev.rowcast.event.Column;
import dev.rowcast.event.Op;
import dev.rowcast.event.TableId;
import dev.rowcast.fanout.EventFeed;
import dev.rowcast.policy.ColumnRules;
import dev.rowcast.policy.Identity;
import dev.rowcast.policy.Policy;
import dev.rowcast.policy.RowFilter;
import dev.rowcast.policy.Scope;
import dev.rowcast.policy.TableAccess;
import dev.rowcast.policy.View;
import dev.rowcast.problem.ProblemException;
import dev.rowcast.problem.ProblemType;
import dev.rowcast.source.Capture;
import dev.rowcast.source.SourceStatus;
import dev.rowcast.source.Strategy;
import dev.rowcast.source.TableDescriptor;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** An edge that listens, over an outbox that is a list. */
final class EdgeFixture implements AutoCloseable {
  static final TableId ORDERS = new TableId("public", "orders");
  static final TableId CUSTOMERS = new TableId("public", "customers");
  static final TableId ARCHIVED = new TableId("archive", "orders");
  static final TableId SECRETS = new TableId("public", "secrets");
  static final String ADMIN = "secret-admin";
  static final String ANALYST = "secret-analyst";
  private static final TableConfig.LiveConfig LIVE =
      new TableConfig.LiveConfig(
          Strategy.NATIVE, TableConfig.NotifyMode.TRIGGER, null, null, Duration.ofSeconds(1));
  static final Set<String> ROLES = Set.of("admin", "analyst", "manager");
  static final ObjectMapper JSON = new ObjectMapper();

  final FakeFeed feed = new FakeFeed();
  final FakeKeys keys = new FakeKeys();
  final Map<TableId, TableDescriptor> captured = new ConcurrentSkipListMap<>();
  final AtomicReference<Instant> now = new AtomicReference<>(Instant.parse("2026-11-30T20:00:00Z"));
  final AtomicReference<Policy> policy = new AtomicReference<>(RoleView::new);
  final AtomicReference<Policy> proposed = new AtomicReference<>(RoleView::new);
  final AtomicReference<List<RoleConfig>> roles =
      new AtomicReference<>(
          List.of(
              new RoleConfig("analyst", List.of("events.read")),
              new RoleConfig("manager", List.of("events.manage"))));
  final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  final Clock clock = new SettableClock();
  final AtomicReference<JsonWebTokens> tokens =
      new AtomicReference<>(new JsonWebTokens(List.of(), ROLES, registry, clock));
  final HttpClient http = HttpClient.newHttpClient();
  volatile boolean ready = true;
  volatile long lag = 1500;
  final EdgeParts parts;
  final Edge edge;
  final int port;

  /** Admins see all, analysts all but {@code public.secrets}; others nothing. */
  record RoleView(Identity identity) implements View {
    @Override
    public Optional<TableAccess> access(TableId table) {
      Set<TableId> tables = identity.scope().tables();
      boolean sees =
          (tables == null || tables.contains(table))
              && switch (identity.role()) {
                case "admin" -> true;
                case "analyst", "manager" -> !table.equals(SECRETS);
                default -> false;
              };
      return sees
          ? Optional.of(new TableAccess(new RowFilter.Everything(), ColumnRules.ALL))
          : Optional.empty();
    }
  }

  EdgeFixture() {
    this(ServerConfig.DEFAULT, StreamLimits.of(ServerConfig.DEFAULT.heartbeat()));
  }

  EdgeFixture(Duration heartbeat) {
    this(ServerConfig.DEFAULT.withHeartbeat(heartbeat), StreamLimits.of(heartbeat));
  }

  EdgeFixture(ServerConfig server, StreamLimits limits) {
    this(server, limits, null);
  }

  /** Over another outbox than the list. */
  EdgeFixture(ServerConfig server, StreamLimits limits, @Nullable EventFeed other) {
    for (TableId table : List.of(ORDERS, CUSTOMERS, ARCHIVED, SECRETS)) {
      captured.put(table, descriptor(table));
    }
    keys.ensure("admin", ADMIN, identity("admin"));
    keys.ensure("analyst", ANALYST, identity("analyst"));
    parts =
        new EdgeParts(
            server.withPort(0),
            limits,
            List.of(new TableConfig("old_orders", "shop", ARCHIVED, List.of(), List.of(), LIVE)),
            other == null ? feed : other,
            () -> new Access(policy.get(), new Managers(roles.get()), tokens.get()),
            (document, asker) -> new Proposals.Trial(policy.get(), proposed.get()),
            keys,
            new MapCatalog(),
            new MapCapture(),
            new Secret("0123456789abcdef-secret"),
            registry,
            () -> ready,
            clock);
    edge = new Edge(parts);
    port = edge.start();
  }

  static Identity identity(String role) {
    return new Identity("somebody", role, Map.of(), Scope.ALL);
  }

  static TableDescriptor descriptor(TableId table) {
    return new TableDescriptor(
        table,
        "shop",
        Strategy.NATIVE,
        List.of(Column.of("id", "bigint"), Column.of("status", "text")),
        List.of("id"));
  }

  private final class SettableClock extends Clock {
    @Override
    public Instant instant() {
      return now.get();
    }

    @Override
    public ZoneId getZone() {
      return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
      return this;
    }
  }

  private final class MapCatalog implements Catalog {
    @Override
    public List<TableDescriptor> tables() {
      return List.copyOf(captured.values());
    }

    @Override
    public Optional<TableDescriptor> table(TableId table) {
      return Optional.ofNullable(captured.get(table));
    }

    @Override
    public List<SourceStatus> sources() {
      return List.of(
          new SourceStatus(
              "shop",
              SourceStatus.State.STREAMING,
              null,
              lag < 0 ? -1 : 3,
              lag,
              Instant.EPOCH,
              now.get()));
    }
  }

  private final class MapCapture implements Capture {
    @Override
    public TableDescriptor enable(TableId table) {
      if (table.name().equals("keyless")) {
        throw new ProblemException(ProblemType.NO_USABLE_KEY, table + ": no key");
      }
      return captured.computeIfAbsent(table, EdgeFixture::descriptor);
    }

    @Override
    public void disable(TableId table) {
      captured.remove(table);
    }
  }

  void insert(TableId table, int id) {
    feed.add(table, Op.INSERT, "{\"id\":" + id + "}");
  }

  /** A stream on a socket, its head read; the credential is a key's secret. */
  StreamClient stream(String secret, String path, String... headers) throws IOException {
    String[] all = Arrays.copyOf(headers, headers.length + 1);
    all[headers.length] = "Authorization: Bearer " + secret;
    return new StreamClient(port, path, all).readHead();
  }

  HttpResponse<String> get(String path, String... headers) {
    return send("GET", path, null, headers);
  }

  HttpResponse<String> send(String method, String path, @Nullable String body, String... headers) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
            .timeout(Duration.ofSeconds(30))
            .method(
                method,
                body == null
                    ? HttpRequest.BodyPublishers.noBody()
                    : HttpRequest.BodyPublishers.ofString(body));
    if (body != null) {
      request.header("Content-Type", "application/json");
    }
    if (headers.length > 0) {
      request.headers(headers);
    }
    try {
      return http.send(request.build(), HttpResponse.BodyHandlers.ofString());
    } catch (IOException | InterruptedException e) {
      throw new AssertionError(method + " " + path, e);
    }
  }

  /** Takes the tokens of these issuers from now on. */
  void take(JwtConfig... issuers) {
    tokens.updateAndGet(former -> former.with(List.of(issuers), ROLES));
  }

  static String[] as(String secret) {
    return new String[] {"Authorization", "Bearer " + secret};
  }

  static JsonNode json(String text) {
    try {
      return JSON.readTree(text);
    } catch (IOException e) {
      throw new AssertionError(text, e);
    }
  }

  String token(String secret, @Nullable String body) {
    return json(send("POST", "/events/stream/token", body, as(secret)).body())
        .path("token")
        .asText();
  }

  @Override
  public void close() {
    edge.close();
  }
}
