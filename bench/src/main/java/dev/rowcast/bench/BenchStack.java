package dev.rowcast.bench;

import dev.rowcast.config.Configuration;
import dev.rowcast.config.ConfigurationLoader;
import dev.rowcast.config.InvalidConfigurationException;
import dev.rowcast.connectors.connect.PostgresConnectorConfig;
import dev.rowcast.embedded.EmbeddedStack;
import dev.rowcast.policy.Identity;
import dev.rowcast.policy.Scope;
import dev.rowcast.standalone.RowcastNode;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.regex.Pattern;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;

/**
 * Everything on this machine, in this process and under it, as the demo runs it: PostgreSQL, the
 * broker, Connect, normalise, one edge node; with a native table and one that comes from a topic.
 */
final class BenchStack implements AutoCloseable {
  static final String KEY = "rc_bench";
  static final String RAW_TOPIC = "bench.raw";
  static final String ORDERS_TOPIC = "bench.orders";
  private static final String DATABASE = "bench";

  private static final String CONFIGURATION =
      """
      server: {host: 127.0.0.1, port: 0}
      kafka: {bootstrap_servers: "${env:BOOTSTRAP}"}
      connect: {url: "${env:CONNECT}"}
      secret: a secret of the measurement, long enough for it
      sources:
        - {id: db, type: postgresql, url: "${env:JDBC}", username: "${env:DB_USER}", password: "${env:DB_PASSWORD}"}
        - {id: raw, type: kafka}
      tables:
        - {id: native, source_id: db}
        - id: topic
          source_id: raw
          key_columns: [id]
          columns: [{name: id, data_type: bigint}, {name: payload, data_type: text}]
          live: {strategy: kafka, topic: bench.raw}
        - id: orders
          source_id: raw
          key_columns: [id]
          columns:
            - {name: id, data_type: bigint}
            - {name: tenant_id, data_type: text}
            - {name: amount, data_type: bigint}
            - {name: payload, data_type: text}
          live: {strategy: kafka, topic: bench.orders}
      roles:
        - {id: tenant}
        - {id: limited}
      rls_rules:
        - {table_id: orders, role_id: tenant, filter: "tenant_id = :t"}
        - {table_id: orders, role_id: limited, filter: "amount < :limit"}
      """;

  private final EmbeddedStack servers = EmbeddedStack.temporary();
  private final RowcastNode node;
  private final HttpClient http = HttpClient.newHttpClient();

  BenchStack() throws Exception {
    this(Map.of());
  }

  /**
   * @param subscribers keys by name, beside that of an admin
   */
  BenchStack(Map<String, RowcastNode.NamedKey> subscribers) throws Exception {
    try {
      servers.postgreSql().createDatabase(DATABASE);
      try (Connection connection = connect();
          Statement statement = connection.createStatement()) {
        statement.execute("CREATE TABLE native (id bigint PRIMARY KEY, payload text NOT NULL)");
      }
      createTopics();
      Path state = Files.createTempDirectory("rowcast-bench-");
      Identity admin = new Identity("bench", "admin", Map.of(), Scope.ALL);
      Map<String, RowcastNode.NamedKey> keys = new HashMap<>(subscribers);
      keys.put("bench", new RowcastNode.NamedKey(KEY, admin));
      node = RowcastNode.start(configuration(), state, keys);
      node.awaitStreaming();
    } catch (Exception e) {
      servers.close();
      throw e;
    }
  }

  private void createTopics() throws ExecutionException, InterruptedException {
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrapServers()))) {
      admin
          .createTopics(
              List.of(
                  new NewTopic(RAW_TOPIC, 1, (short) 1), new NewTopic(ORDERS_TOPIC, 1, (short) 1)))
          .all()
          .get();
    }
  }

  private Configuration configuration() throws InvalidConfigurationException {
    Map<String, String> environment =
        Map.of(
            "BOOTSTRAP", bootstrapServers(),
            "CONNECT", servers.connect().url().toString(),
            "JDBC", "jdbc:postgresql://127.0.0.1:" + servers.postgreSql().port() + "/" + DATABASE,
            "DB_USER", servers.postgreSql().user(),
            "DB_PASSWORD", servers.postgreSql().password());
    return new ConfigurationLoader(environment).load("bench.yaml", CONFIGURATION).configuration();
  }

  String bootstrapServers() {
    return servers.kafka().bootstrapServers();
  }

  Connection connect() throws SQLException {
    return servers.postgreSql().connect(DATABASE);
  }

  /** Returns once the connector has let go of the database. */
  void pauseSource() throws Exception {
    connector("pause");
    awaitTask("PAUSED");
  }

  /** Returns as soon as the worker has been told. */
  void resumeSource() throws Exception {
    connector("resume");
  }

  private void connector(String what) throws Exception {
    HttpResponse<String> answer =
        http.send(
            HttpRequest.newBuilder(connectorUrl(what))
                .PUT(HttpRequest.BodyPublishers.noBody())
                .build(),
            HttpResponse.BodyHandlers.ofString());
    if (answer.statusCode() != 202) {
      throw new IllegalStateException(what + ": " + answer.statusCode() + " " + answer.body());
    }
  }

  private void awaitTask(String state) throws Exception {
    Pattern task = Pattern.compile("\"tasks\":\\[\\{[^}]*\"state\":\"" + state + "\"");
    HttpRequest status = HttpRequest.newBuilder(connectorUrl("status")).build();
    while (!task.matcher(http.send(status, HttpResponse.BodyHandlers.ofString()).body()).find()) {
      Thread.sleep(20);
    }
  }

  private URI connectorUrl(String what) {
    return servers
        .connect()
        .url()
        .resolve("/connectors/" + PostgresConnectorConfig.connectorName("db") + "/" + what);
  }

  URI url(String path) {
    return URI.create("http://127.0.0.1:" + node.port() + path);
  }

  @Override
  public void close() {
    node.close();
    servers.close();
  }
}
