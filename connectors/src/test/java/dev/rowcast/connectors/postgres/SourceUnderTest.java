package dev.rowcast.connectors.postgres;

import static org.awaitility.Awaitility.await;

import dev.rowcast.config.Secret;
import dev.rowcast.config.SourceConfig;
import dev.rowcast.config.SourceConfig.DatabaseConfig;
import dev.rowcast.config.SourceConfig.SourceType;
import dev.rowcast.connectors.connect.ConnectClient;
import dev.rowcast.connectors.connect.ConnectorStatus;
import dev.rowcast.connectors.connect.PostgresConnectorConfig;
import dev.rowcast.embedded.EmbeddedStack;
import dev.rowcast.event.TableId;
import dev.rowcast.topic.Topic;
import dev.rowcast.topic.Topics;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;

/** A database, a set of topics and a connector of one test's own, on the shared servers. */
final class SourceUnderTest implements AutoCloseable {
  private static final AtomicInteger COUNT = new AtomicInteger();

  private final EmbeddedStack stack = EmbeddedStack.shared();
  private final String name = "db" + COUNT.incrementAndGet() + "_" + ProcessHandle.current().pid();
  private final Topics topics = new Topics(name + "-");
  private final ConnectClient connect = new ConnectClient(stack.connect().url());
  private final Map<String, String> config;
  private final Connection connection;

  SourceUnderTest() throws SQLException {
    stack.postgreSql().createDatabase(name);
    connection = stack.postgreSql().connect(name);
    List<NewTopic> created = new ArrayList<>();
    for (Topic topic : topics.all()) {
      created.add(new NewTopic(topic.name(), 1, (short) 1).configs(topic.settings()));
    }
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrapServers()))) {
      admin.createTopics(created).all().get();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
    String url = "jdbc:postgresql://127.0.0.1:" + stack.postgreSql().port() + "/" + name;
    DatabaseConfig database =
        new DatabaseConfig(
            url, stack.postgreSql().user(), new Secret(stack.postgreSql().password()));
    config =
        new HashMap<>(
            PostgresConnectorConfig.of(
                new SourceConfig(name, SourceType.POSTGRESQL, database, null),
                List.of(),
                topics,
                bootstrapServers()));
    with(PostgresSettings.TRIM_INTERVAL_MS, "100");
    with(PostgresSettings.STATUS_INTERVAL_MS, "100");
    with(PostgresSettings.CHECK_INTERVAL_MS, "300");
  }

  String bootstrapServers() {
    return stack.kafka().bootstrapServers();
  }

  String name() {
    return name;
  }

  Topics topics() {
    return topics;
  }

  ConnectClient connect() {
    return connect;
  }

  String connectorName() {
    return PostgresConnectorConfig.connectorName(name);
  }

  Map<String, String> config() {
    return config;
  }

  EmbeddedStack stack() {
    return stack;
  }

  SourceUnderTest with(String property, String value) {
    config.put(property, value);
    return this;
  }

  /** Runs the connector with these tables and returns once its task is up. */
  SourceUnderTest capture(String... tables) {
    with(PostgresSettings.TABLES, String.join(",", tables));
    return apply();
  }

  SourceUnderTest apply() {
    connect.putConfig(connectorName(), config);
    awaitRunning();
    return this;
  }

  void awaitRunning() {
    await()
        .atMost(Duration.ofSeconds(30))
        .until(() -> connect.status(connectorName()).map(ConnectorStatus::running).orElse(false));
  }

  /** Waits until the triggers of a table are there. */
  void awaitCaptured(String table) {
    await()
        .atMost(Duration.ofSeconds(30))
        .until(
            () ->
                count(
                        "SELECT count(*) FROM pg_trigger WHERE tgname LIKE '%dl_Event%' AND tgrelid = '"
                            + table.replace("'", "''")
                            + "'::regclass")
                    > 0);
  }

  Connection connection() {
    return connection;
  }

  /** Another session, of the superuser's. */
  Connection session() throws SQLException {
    return stack.postgreSql().connect(name);
  }

  void sql(String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  long count(String sql) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      row.next();
      return row.getLong(1);
    }
  }

  String text(String sql) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      row.next();
      return row.getString(1);
    }
  }

  TopicLog events() {
    return new TopicLog(bootstrapServers(), topics.events().name());
  }

  TopicLog rows() {
    return new TopicLog(bootstrapServers(), topics.rows().name());
  }

  TopicLog catalog() {
    return new TopicLog(bootstrapServers(), topics.catalog().name());
  }

  static TableId table(String name) {
    return new TableId("public", name);
  }

  @Override
  public void close() throws SQLException {
    connect.delete(connectorName());
    connection.close();
  }
}
