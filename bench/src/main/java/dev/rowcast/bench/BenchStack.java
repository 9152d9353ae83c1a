package dev.rowcast.bench;

import dev.rowcast.config.Configuration;
import dev.rowcast.config.ConfigurationLoader;
import dev.rowcast.config.InvalidConfigurationException;
import dev.rowcast.embedded.EmbeddedStack;
import dev.rowcast.policy.Identity;
import dev.rowcast.policy.Scope;
import dev.rowcast.standalone.RowcastNode;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;

/**
 * Everything on this machine, in this process and under it, as the demo runs it: PostgreSQL, the
 * broker, Connect, normalise, one edge node; with a native table and one that comes from a topic.
 */
final class BenchStack implements AutoCloseable {
  static final String KEY = "rc_bench";
  static final String RAW_TOPIC = "bench.raw";
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
      """;

  private final EmbeddedStack servers = EmbeddedStack.temporary();
  private final RowcastNode node;

  BenchStack() throws Exception {
    try {
      servers.postgreSql().createDatabase(DATABASE);
      try (Connection connection = connect();
          Statement statement = connection.createStatement()) {
        statement.execute("CREATE TABLE native (id bigint PRIMARY KEY, payload text NOT NULL)");
      }
      createTopic();
      Path state = Files.createTempDirectory("rowcast-bench-");
      Identity admin = new Identity("bench", "admin", Map.of(), Scope.ALL);
      node =
          RowcastNode.start(
              configuration(), state, Map.of("bench", new RowcastNode.NamedKey(KEY, admin)));
      node.awaitStreaming();
    } catch (Exception e) {
      servers.close();
      throw e;
    }
  }

  private void createTopic() throws ExecutionException, InterruptedException {
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrapServers()))) {
      admin.createTopics(List.of(new NewTopic(RAW_TOPIC, 1, (short) 1))).all().get();
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

  URI url(String path) {
    return URI.create("http://127.0.0.1:" + node.port() + path);
  }

  @Override
  public void close() {
    node.close();
    servers.close();
  }
}
