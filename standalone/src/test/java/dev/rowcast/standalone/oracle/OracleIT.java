package dev.rowcast.standalone.oracle;

import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.rowcast.event.TableId;
import dev.rowcast.policy.Identity;
import dev.rowcast.policy.Scope;
import dev.rowcast.standalone.NodeFixture;
import java.net.http.HttpClient;
import java.sql.Connection;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Random transactions on a real PostgreSQL, through a real Connect and broker, to readers over real
 * HTTP: each sees exactly the committed changes that its policy allows, in order per row, once.
 *
 * <p>{@code -Drowcast.seed=N} replays the random draws, {@code -Drowcast.oracle.seconds=N} writes
 * for longer.
 */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class OracleIT {
  private static final long SEED = Long.getLong("rowcast.seed", System.nanoTime());
  private static final int SECONDS = Integer.getInteger("rowcast.oracle.seconds", 15);
  private static final int WRITERS = 4;

  private static final String CONFIGURATION =
      """
      tables:
        - {id: items, source_id: "${env:SOURCE}"}
        - {id: fence, source_id: "${env:SOURCE}"}
      roles: [{id: tenant}, {id: fields}]
      rls_rules:
        - {table_id: items, role_id: tenant, filter: "tenant = :tenant"}
        - {table_id: items, role_id: fields, filter: "true"}
      """;

  private static final Set<String> SOME_COLUMNS = Set.of("id", "amount");

  private final SplittableRandom random = new SplittableRandom(SEED);
  private final Queue<Change> committed = new ConcurrentLinkedQueue<>();

  @Test
  void everyReaderSeesExactlyWhatItMay() throws Exception {
    run(node -> {});
  }

  @Test
  void everyReaderSeesExactlyWhatItMayWhileTaskAndEdgeRestart() throws Exception {
    run(
        node -> {
          node.restartConnectTask();
          node.restartNode();
          node.restartConnectTask();
        });
  }

  private interface Disturbance {
    void disturb(NodeFixture node) throws Exception;
  }

  private void run(Disturbance disturbance) throws Exception {
    System.out.println("oracle: -Drowcast.seed=" + SEED);
    try (NodeFixture node =
        NodeFixture.start(
            List.of(
                "CREATE SEQUENCE change_order",
                """
                CREATE TABLE items (id int PRIMARY KEY, tenant text NOT NULL, amount numeric(12,2),
                  doc jsonb, note text NOT NULL, at timestamptz)""",
                "CREATE TABLE fence (id int PRIMARY KEY)"),
            CONFIGURATION,
            identities())) {
      ExecutorService threads = Executors.newCachedThreadPool();
      try {
        Map<Reader, Visibility> readers = readers(node, HttpClient.newHttpClient());
        Map<Reader, Future<List<JsonNode>>> read = new LinkedHashMap<>();
        readers.keySet().forEach(reader -> read.put(reader, threads.submit(reader)));
        write(node, threads, disturbance);
        int n = 0;
        for (Map.Entry<Reader, Future<List<JsonNode>>> reader : read.entrySet()) {
          Visibility visibility = readers.get(reader.getKey());
          String name =
              reader.getKey().getClass().getSimpleName()
                  + " "
                  + n++
                  + " "
                  + visibility
                  + ", seed "
                  + SEED;
          Model.assertSame(
              name,
              Model.expected(committed, visibility),
              Model.observed(Reader.ofTable("items", reader.getValue().get()), visibility));
        }
        assertTrue(committed.size() > 100, "changes: " + committed.size());
      } finally {
        threads.shutdownNow();
      }
    }
  }

  private void write(NodeFixture node, ExecutorService threads, Disturbance disturbance)
      throws Exception {
    long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
    List<Future<Integer>> writers = new ArrayList<>();
    for (int i = 0; i < WRITERS; i++) {
      Connection connection = node.connect();
      try (Statement statement = connection.createStatement()) {
        statement.execute("SET deadlock_timeout = '50ms'");
      }
      writers.add(threads.submit(new Writer(connection, random.nextLong(), committed, until)));
    }
    disturbance.disturb(node);
    for (Future<Integer> writer : writers) {
      writer.get();
    }
    try (Connection connection = node.connect();
        Statement statement = connection.createStatement()) {
      statement.execute("INSERT INTO fence VALUES (1)");
    }
  }

  private Map<Reader, Visibility> readers(NodeFixture node, HttpClient http) {
    Map<Reader, Visibility> readers = new LinkedHashMap<>();
    Map<String, Visibility> who =
        Map.of(
            "admin", new Visibility(null, null),
            "a", new Visibility("a", null),
            "b", new Visibility("b", null),
            "fields", new Visibility(null, SOME_COLUMNS));
    who.forEach(
        (key, visibility) -> {
          for (String parameters : List.of("", "&coalesce=50")) {
            readers.put(
                new Reader.Streaming(
                    http, node::url, key, random.nextLong(), "earliest", parameters),
                visibility);
          }
          readers.put(
              new Reader.Polling(http, node::url, key, random.nextLong(), "earliest"), visibility);
        });
    return readers;
  }

  private static Map<String, Identity> identities() {
    TableId items = new TableId("public", "items");
    return Map.of(
        "admin", new Identity("admin", "admin", Map.of(), Scope.ALL),
        "a", new Identity("a", "tenant", Map.of("tenant", "a"), Scope.ALL),
        "b", new Identity("b", "tenant", Map.of("tenant", "b"), Scope.ALL),
        "fields",
            new Identity(
                "fields", "fields", Map.of(), new Scope(null, Map.of(items, SOME_COLUMNS))));
  }
}
