package dev.rowcast.standalone.demo;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.rowcast.config.Configuration;
import dev.rowcast.config.ConfigurationLoader;
import dev.rowcast.config.InvalidConfigurationException;
import dev.rowcast.edge.CannotListenException;
import dev.rowcast.edge.ListeningAddress;
import dev.rowcast.embedded.ConnectOptions;
import dev.rowcast.embedded.DataDirectory;
import dev.rowcast.embedded.EmbeddedPostgreSql;
import dev.rowcast.embedded.EmbeddedStack;
import dev.rowcast.embedded.KafkaOptions;
import dev.rowcast.embedded.PostgreSqlOptions;
import dev.rowcast.policy.Identity;
import dev.rowcast.standalone.Parts;
import dev.rowcast.standalone.RowcastNode;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The demo as it runs: the embedded servers, one node on them, and what goes on in the shop.
 * Started and closed by one thread.
 */
public final class Demo implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Demo.class);
  private static final ObjectMapper JSON = new ObjectMapper();

  /** What is there while the demo is ready, and only then. */
  static final String DESCRIPTION = "demo.json";

  /** Where everything listens; {@code rowcast.yaml} says so, too. */
  private static final String HOST = "127.0.0.1";

  /** How long a change of the shop may take until it no longer keeps the demo from stopping. */
  private static final Duration CHANGE_LIMIT = Duration.ofSeconds(2);

  private final Path directory;
  private final DemoState state;
  private final EmbeddedStack servers;
  private @Nullable RowcastNode node;
  private @Nullable ShopActivity shop;
  private @Nullable StockTopic stock;
  private @Nullable ScheduledExecutorService clock;

  private Demo(Path directory, DemoState state, EmbeddedStack servers) {
    this.directory = directory;
    this.state = state;
    this.servers = servers;
  }

  /**
   * Starts everything and returns once rows flow; {@code demo.json} is written then.
   *
   * @param port of HTTP; 0 for any free one
   * @param changesPerSecond how often a row changes; 0 for never
   * @param onFatal told why, once a part has failed for good
   * @throws CannotListenException if the port is taken; nothing was started or written then
   */
  public static Demo start(
      Path directory, int port, double changesPerSecond, Consumer<String> onFatal)
      throws SQLException, ExecutionException, InterruptedException {
    ListeningAddress.requireFree(HOST, port);
    Demo demo = open(directory, onFatal);
    try {
      demo.startServers();
      demo.startNode(port);
      demo.writeDescription();
      demo.startActivity(changesPerSecond);
      return demo;
    } catch (SQLException | ExecutionException | InterruptedException | RuntimeException e) {
      demo.close();
      throw e;
    }
  }

  /**
   * Starts only the database, so that rows can be changed while Rowcast is away; {@code demo.json}
   * says where it is, and no more.
   */
  public static Demo startDatabaseOnly(Path directory, Consumer<String> onFatal)
      throws SQLException {
    Demo demo = open(directory, onFatal);
    try {
      ShopDatabase.prepare(demo.servers.postgreSql());
      demo.keepPorts();
      DemoState.writePrivately(demo.directory.resolve(DESCRIPTION), demo.describedDatabase());
      return demo;
    } catch (SQLException | RuntimeException e) {
      demo.close();
      throw e;
    }
  }

  private static Demo open(Path directory, Consumer<String> onFatal) {
    DataDirectory data = DataDirectory.open(directory);
    DemoState state;
    try {
      removeDescription(directory);
      state = DemoState.load(directory.resolve("state.json"));
    } catch (RuntimeException e) {
      data.close();
      throw e;
    }
    EmbeddedStack servers =
        new EmbeddedStack(
            data,
            KafkaOptions.defaults().withBrokerPort(state.portIfFree("kafka")).withOnFatal(onFatal),
            ConnectOptions.defaults()
                .withRestPort(state.portIfFree("connect"))
                .withOnFatal(onFatal),
            PostgreSqlOptions.defaults()
                .withPort(state.portIfFree("postgresql"))
                .withPassword(state.secret("postgresql"))
                .withOnFatal(onFatal));
    state.save();
    return new Demo(directory, state, servers);
  }

  private void startServers() throws SQLException, ExecutionException, InterruptedException {
    CompletableFuture<EmbeddedPostgreSql> database =
        CompletableFuture.supplyAsync(servers::postgreSql);
    try {
      servers.connect();
    } catch (RuntimeException e) {
      database.handle((started, failed) -> null).join(); // so that close() finds it
      throw e;
    }
    ShopDatabase.prepare(database.get());
    stock = StockTopic.open(servers.kafka().bootstrapServers());
    keepPorts();
  }

  private void startNode(int port) throws InterruptedException {
    RowcastNode started =
        RowcastNode.start(configuration(port), servers.directory().streams(), keySecrets());
    node = started;
    started.awaitStreaming();
  }

  private Configuration configuration(int port) {
    EmbeddedPostgreSql database = servers.postgreSql();
    Map<String, String> environment =
        Map.of(
            "DEMO_HTTP_PORT", Integer.toString(port),
            "DEMO_BOOTSTRAP_SERVERS", servers.kafka().bootstrapServers(),
            "DEMO_CONNECT_URL", servers.connect().url().toString(),
            "DEMO_SECRET", state.secret("tokens"),
            "DEMO_JDBC_URL",
                "jdbc:postgresql://127.0.0.1:" + database.port() + "/" + ShopDatabase.NAME,
            "DEMO_DB_USER", database.user(),
            "DEMO_DB_PASSWORD", database.password());
    try (InputStream yaml = Demo.class.getResourceAsStream("rowcast.yaml")) {
      if (yaml == null) {
        throw new IllegalStateException("rowcast.yaml is not in the jar");
      }
      String text = new String(yaml.readAllBytes(), StandardCharsets.UTF_8);
      return new ConfigurationLoader(environment).load("demo/rowcast.yaml", text).configuration();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InvalidConfigurationException e) {
      throw new IllegalStateException(e.getMessage(), e);
    }
  }

  /** The demo's keys by name, with secrets that stay the same from start to start. */
  private Map<String, RowcastNode.NamedKey> keySecrets() {
    Map<String, RowcastNode.NamedKey> keys = new LinkedHashMap<>();
    for (Map.Entry<String, Identity> key : DemoKeys.identities().entrySet()) {
      String secret = state.text("key-" + key.getKey(), () -> "rc_" + DemoState.random());
      keys.put(key.getKey(), new RowcastNode.NamedKey(secret, key.getValue()));
    }
    state.save();
    return keys;
  }

  private void startActivity(double changesPerSecond) {
    if (changesPerSecond <= 0 || stock == null) {
      return;
    }
    StockTopic topic = stock;
    ShopActivity activity = new ShopActivity(servers.postgreSql().jdbcUrl(ShopDatabase.NAME));
    shop = activity;
    clock = Executors.newSingleThreadScheduledExecutor(task -> new Thread(task, "shop"));
    long periodMicros = Math.max(1, Math.round(1_000_000 / changesPerSecond));
    long[] change = {0};
    var unused =
        clock.scheduleAtFixedRate(
            () -> {
              // every eighth change is one of the stock
              if (++change[0] % 8 == 0) {
                topic.changeOneRow();
              } else {
                activity.changeOneRow();
              }
            },
            periodMicros,
            periodMicros,
            TimeUnit.MICROSECONDS);
  }

  private void keepPorts() {
    state.setPort("postgresql", servers.postgreSql().port());
    if (stock != null) {
      state.setPort("kafka", servers.kafka().port());
      state.setPort("connect", servers.connect().url().getPort());
    }
    state.save();
  }

  private ObjectNode describedDatabase() {
    return JSON.createObjectNode()
        .put("jdbcUrl", servers.postgreSql().jdbcUrl(ShopDatabase.NAME))
        .put("psqlUrl", psqlUrl());
  }

  /** Who finds the file shall find the demo ready. */
  private static void removeDescription(Path directory) {
    try {
      Files.deleteIfExists(directory.resolve(DESCRIPTION));
    } catch (IOException e) {
      throw new UncheckedIOException(directory + ": " + DESCRIPTION + " can't be removed", e);
    }
  }

  private void writeDescription() {
    ObjectNode json = JSON.createObjectNode().put("url", url());
    json.setAll(describedDatabase());
    json.put("bootstrapServers", servers.kafka().bootstrapServers());
    json.put("connectUrl", servers.connect().url().toString());
    ObjectNode keys = json.putObject("keys");
    DemoKeys.identities().keySet().forEach(name -> keys.put(name, keySecret(name)));
    DemoState.writePrivately(directory.resolve(DESCRIPTION), json);
  }

  /** Where the demo's HTTP is. */
  public String url() {
    RowcastNode running = node;
    if (running == null) {
      throw new IllegalStateException("only the database runs");
    }
    return "http://" + HOST + ":" + running.port();
  }

  /** What {@code psql} takes. */
  public String psqlUrl() {
    EmbeddedPostgreSql database = servers.postgreSql();
    return "postgresql://%s:%s@127.0.0.1:%d/%s"
        .formatted(database.user(), database.password(), database.port(), ShopDatabase.NAME);
  }

  /** The secret of one of the demo's keys. */
  public String keySecret(String name) {
    return state.text("key-" + name, () -> "rc_" + DemoState.random());
  }

  /** What is stopped of Kafka Connect beside the node: neither needs the other to stop. */
  private record Worker(EmbeddedStack servers) implements AutoCloseable {
    @Override
    public void close() {
      servers.closeConnect();
    }
  }

  /** Stops the shop, then the node and Connect, then the other servers. */
  @Override
  public void close() {
    try {
      removeDescription(directory);
    } catch (UncheckedIOException e) {
      LOG.warn("{}", e.getMessage());
    }
    if (clock != null) {
      finish(clock);
    }
    if (shop != null) {
      shop.close();
    }
    if (stock != null) {
      stock.close();
    }
    try (Parts parts = new Parts()) {
      parts.add(servers);
      parts.add(new Worker(servers));
      if (node != null) {
        parts.addBeside(node);
      }
    }
  }

  /**
   * Lets a change that is under way end, as the shop is one thread's at a time; one that hangs is
   * given up.
   */
  private static void finish(ScheduledExecutorService clock) {
    clock.shutdown();
    try {
      if (!clock.awaitTermination(CHANGE_LIMIT.toMillis(), TimeUnit.MILLISECONDS)) {
        clock.shutdownNow();
      }
    } catch (InterruptedException e) {
      clock.shutdownNow();
      Thread.currentThread().interrupt();
    }
  }
}
