package dev.rowcast.standalone;

import dev.rowcast.config.Configuration;
import dev.rowcast.config.ConfigurationLoader;
import dev.rowcast.config.InvalidConfigurationException;
import dev.rowcast.config.KafkaConfig;
import dev.rowcast.embedded.EmbeddedStack;
import dev.rowcast.policy.Identity;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.common.TopicPartition;

/**
 * One node over the servers that all tests of this JVM share, with a database, topics and a
 * connector of its own. The one way to test against the real parts. The keys' secrets are their
 * names.
 */
public final class NodeFixture implements AutoCloseable {
  private final EmbeddedStack servers = EmbeddedStack.shared();
  private final String name =
      "it" + Integer.toUnsignedString(ThreadLocalRandom.current().nextInt(), 36);
  private final Configuration configuration;
  private final Map<String, RowcastNode.NamedKey> keys = new LinkedHashMap<>();
  private final Path state = Files.createTempDirectory("rowcast-it-");
  private final Path file = state.resolve("rowcast.yaml");
  private final ConfigurationLoader loader = new ConfigurationLoader(Map.of("SOURCE", name));
  private final List<AutoCloseable> others = new ArrayList<>();
  private volatile RowcastNode node;
  private volatile Reloader reloader;

  private NodeFixture(List<String> schema, String yaml, Map<String, Identity> identities)
      throws SQLException, IOException, InterruptedException, InvalidConfigurationException {
    servers.postgreSql().createDatabase(name);
    try (Connection connection = connect();
        Statement statement = connection.createStatement()) {
      for (String sql : schema) {
        statement.execute(sql);
      }
    }
    identities.forEach((key, identity) -> keys.put(key, new RowcastNode.NamedKey(key, identity)));
    Files.writeString(file, head() + yaml);
    configuration = loader.load(file).configuration();
    node = start();
  }

  /**
   * Starts a node and returns once its tables are captured.
   *
   * @param schema statements that make the database's tables
   * @param yaml the configuration from {@code tables} on; the source is {@code ${env:SOURCE}}
   * @param identities the keys by their secrets
   */
  public static NodeFixture start(
      List<String> schema, String yaml, Map<String, Identity> identities)
      throws SQLException, IOException, InterruptedException, InvalidConfigurationException {
    return new NodeFixture(schema, yaml, identities);
  }

  private String head() {
    return """
        server: {host: 127.0.0.1, port: 0, heartbeat: 1s}
        kafka: {bootstrap_servers: "%s", topic_prefix: "%s.", node_id: "%s"}
        connect: {url: "%s"}
        secret: a secret of the tests, long enough for them
        sources:
          - {id: "%s", type: postgresql, url: "jdbc:postgresql://127.0.0.1:%d/%s", username: "%s", password: "%s"}
        """
        .formatted(
            servers.kafka().bootstrapServers(),
            name,
            name,
            servers.connect().url(),
            name,
            servers.postgreSql().port(),
            name,
            servers.postgreSql().user(),
            servers.postgreSql().password());
  }

  private RowcastNode start() throws InterruptedException {
    RowcastNode started = RowcastNode.start(configuration, state, keys);
    started.awaitStreaming();
    reloader = watch(started);
    return started;
  }

  private Reloader watch(RowcastNode watching) {
    return Reloader.watch(file, Reloader.content(file), loader, watching, Duration.ofMillis(50));
  }

  /**
   * Starts one more node on the same topics, which stops with this one.
   *
   * @return where it serves
   */
  public URI startAnother() throws IOException {
    KafkaConfig kafka = configuration.kafka();
    String id = kafka.nodeId() + "-" + (others.size() + 2);
    KafkaConfig own =
        new KafkaConfig(
            kafka.bootstrapServers(),
            kafka.topicPrefix(),
            kafka.retention(),
            kafka.replicationFactor(),
            id,
            kafka.properties());
    RowcastNode another =
        RowcastNode.start(
            configuration.withKafka(own), Files.createTempDirectory("rowcast-it-"), Map.of());
    others.add(another);
    return URI.create("http://127.0.0.1:" + another.port() + "/");
  }

  /**
   * Writes the configuration's file anew, which the node notices soon.
   *
   * @param yaml the configuration from {@code tables} on
   */
  public void rewrite(String yaml) throws IOException {
    Path whole = Files.writeString(state.resolve("next.yaml"), head() + yaml);
    Files.move(whole, file, StandardCopyOption.ATOMIC_MOVE);
  }

  /** Where the node serves now. */
  public URI url() {
    return URI.create("http://127.0.0.1:" + node.port() + "/");
  }

  /** A connection to the node's database. */
  public Connection connect() throws SQLException {
    return servers.postgreSql().connect(name);
  }

  /** Stops the node and starts it anew, elsewhere. */
  public void restartNode() throws InterruptedException {
    reloader.close();
    node.close();
    node = start();
  }

  /** Has the broker drop the events up to this id, as retention does some day. */
  public void dropEvents(long upTo) throws InterruptedException, ExecutionException {
    TopicPartition events = new TopicPartition(name + ".events", 0);
    Map<String, Object> cluster = Map.of("bootstrap.servers", servers.kafka().bootstrapServers());
    try (Admin admin = Admin.create(cluster)) {
      admin.deleteRecords(Map.of(events, RecordsToDelete.beforeOffset(upTo))).all().get();
    }
  }

  /** Has Connect restart the connector's task. */
  public void restartConnectTask() throws IOException, InterruptedException {
    String connector = node.connectorName(name);
    HttpResponse<String> response =
        HttpClient.newHttpClient()
            .send(
                HttpRequest.newBuilder(
                        URI.create(
                            servers.connect().url()
                                + "/connectors/"
                                + connector
                                + "/tasks/0/restart"))
                    .POST(HttpRequest.BodyPublishers.noBody())
                    .build(),
                HttpResponse.BodyHandlers.ofString());
    if (response.statusCode() >= 300) {
      throw new IOException(response.statusCode() + " " + response.body());
    }
  }

  @Override
  public void close() {
    reloader.close();
    for (AutoCloseable another : others) {
      try {
        another.close();
      } catch (Exception e) {
        throw new AssertionError(e);
      }
    }
    node.close();
    node.removeConnectors();
  }
}
