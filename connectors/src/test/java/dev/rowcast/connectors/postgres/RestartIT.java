package dev.rowcast.connectors.postgres;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rowcast.embedded.EmbeddedPostgreSql;
import dev.rowcast.embedded.PostgreSqlOptions;
import dev.rowcast.event.EventRecord;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** That nothing is lost, doubled or reordered, whatever ends and starts again. */
class RestartIT extends PostgresIT {

  @Test
  void writersRestartsAndLostConnectionsLeaveEveryChangeExactlyOnceInOrder() throws Exception {
    source.sql("CREATE TABLE t (id int PRIMARY KEY, v int)");
    source.with(PostgresSettings.POLL_MAX_ROWS, "50");
    source.capture("t").awaitCaptured("t");
    AtomicBoolean writing = new AtomicBoolean(true);
    List<CompletableFuture<Integer>> writers = new ArrayList<>();
    for (int writer = 0; writer < 3; writer++) {
      int own = writer;
      writers.add(CompletableFuture.supplyAsync(() -> write(own, writing)));
    }
    for (int i = 0; i < 3; i++) {
      int before = events.poll().size();
      events.until(all -> all.size() > before + 200);
      if (i == 1) {
        source.sql(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                + " WHERE application_name = 'rowcast "
                + source.name()
                + " source'");
      } else {
        source.connect().restart(source.connectorName());
      }
    }
    int before = events.poll().size();
    events.until(all -> all.size() > before + 200);
    writing.set(false);
    int expected = 0;
    for (CompletableFuture<Integer> writer : writers) {
      expected += writer.get();
    }
    int total = expected;
    events.until(all -> all.size() >= total);
    await().during(Duration.ofSeconds(1)).until(() -> events.poll().size() == total);

    Map<String, Integer> last = new HashMap<>();
    for (EventRecord event : events.events()) {
      int value = Integer.parseInt(event.data().valueText(1));
      assertEquals(
          last.getOrDefault(event.rowKey().toString(), -1) + 1, value, event.rowKey().toString());
      last.put(event.rowKey().toString(), value);
    }
    await().until(() -> source.count("SELECT count(*) FROM rowcast.outbox") == 0);
  }

  /** Inserts a row and counts it up, some of it rolled back; how many changes were committed. */
  private int write(int writer, AtomicBoolean writing) {
    int changes = 0;
    try (Connection connection = source.session();
        Statement statement = connection.createStatement()) {
      for (int key = writer; writing.get(); key += 10) {
        statement.execute("BEGIN; INSERT INTO t VALUES (" + key + ", 0)");
        statement.execute("SAVEPOINT s; UPDATE t SET v = 77 WHERE id = " + key + "; ROLLBACK TO s");
        statement.execute("UPDATE t SET v = 1 WHERE id = " + key + "; COMMIT");
        statement.execute("UPDATE t SET v = 2 WHERE id = " + key);
        statement.execute("BEGIN; UPDATE t SET v = 78 WHERE id = " + key + "; ROLLBACK");
        changes += 3;
      }
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
    return changes;
  }

  @Test
  void transactionHeldOpenDelaysNobodyAndIsToldWhole() throws Exception {
    source.sql("CREATE TABLE t (id int PRIMARY KEY)");
    source.capture("t").awaitCaptured("t");
    try (Connection held = source.session();
        Statement statement = held.createStatement()) {
      statement.execute("BEGIN; INSERT INTO t VALUES (1)");
      for (int id = 2; id <= 10; id++) {
        source.sql("INSERT INTO t VALUES (" + id + ")");
      }
      assertEquals("insert {\"id\":2}", ops(9).get(0));
      statement.execute("INSERT INTO t VALUES (11)");
      source.connect().restart(source.connectorName());
      source.sql("INSERT INTO t VALUES (12)");
      ops(10);
      statement.execute("INSERT INTO t VALUES (13); COMMIT");
    }
    assertEquals(
        List.of("insert {\"id\":1}", "insert {\"id\":11}", "insert {\"id\":13}"),
        ops(13).subList(10, 13));
  }

  @Test
  void pageThatIsExactlyFullIsNeitherCutNorRepeated() throws Exception {
    source.sql("CREATE TABLE t (id int PRIMARY KEY)");
    source.with(PostgresSettings.POLL_MAX_ROWS, "10");
    source.capture("t").awaitCaptured("t");
    int told = 0;
    for (int rows : new int[] {10, 20, 9, 11, 1}) {
      int from = told + 1;
      told += rows;
      source.sql("INSERT INTO t SELECT generate_series(" + from + ", " + told + ")");
      ops(told);
    }
    List<String> all = ops(51);
    assertEquals(51, all.size());
    assertEquals(51, new TreeSet<>(all).size());
  }

  @Test
  void snapshotThatIsCutShortIsFinishedWithoutEvents() throws Exception {
    source.sql("CREATE TABLE t (tenant text, id numeric, v text, PRIMARY KEY (tenant, id))");
    source.sql("INSERT INTO t SELECT 'ä' || g % 7, g / 10.0, 'x' FROM generate_series(1, 20000) g");
    source.with(PostgresSettings.POLL_MAX_ROWS, "100");
    source.capture("t").awaitCaptured("t");
    rows.until(all -> all.size() > 1000);
    source.connect().restart(source.connectorName());
    source.sql("DELETE FROM t WHERE id <= 10");
    source.sql("UPDATE t SET v = 'y' WHERE id > 1999");
    await().atMost(Duration.ofSeconds(60)).until(() -> rows.latest().size() == 19_900);
    assertEquals(110, ops(110).size());
    await()
        .until(
            () -> rows.latest().values().stream().filter(r -> r.contains("\"y\"")).count() == 10);
  }

  @Test
  void outboxThatWasLostIsMadeUpForByTellingTheDifferences() throws Exception {
    source.sql("CREATE TABLE t (id int PRIMARY KEY, v text)");
    source.sql("INSERT INTO t SELECT g, 'old' FROM generate_series(1, 100) g");
    source.capture("t").awaitCaptured("t");
    await().until(() -> rows.latest().size() == 100);
    source.sql(
        "BEGIN; DROP SCHEMA rowcast CASCADE; DELETE FROM t WHERE id = 1;"
            + " UPDATE t SET v = 'new' WHERE id = 2; INSERT INTO t VALUES (101, 'new'); COMMIT");
    assertEquals(
        List.of("delete {\"id\":1}", "insert {\"id\":101}", "update {\"id\":2}"),
        ops(3).stream().sorted().toList());
    EventRecord update =
        events.events().stream()
            .filter(e -> e.op().wire().equals("update"))
            .findAny()
            .orElseThrow();
    assertEquals(List.of("v"), update.changedColumns());
    source.awaitCaptured("t");
    source.sql("INSERT INTO t VALUES (102, 'after')");
    assertEquals("insert {\"id\":102}", ops(4).get(3));
    assertEquals(101, rows.latest().size());
  }

  @Test
  void positionOfAnotherClusterIsNotTrusted() throws Exception {
    source.sql("CREATE TABLE t (id int PRIMARY KEY, v text)");
    source.capture("t").awaitCaptured("t");
    source.sql("INSERT INTO t VALUES (1, 'a'), (2, 'b')");
    ops(2);
    // as after a restore of an earlier state: other ids, and rows that went another way
    source.connect().delete(source.connectorName());
    source.sql(
        "UPDATE rowcast.installation SET epoch = 'restored'; ALTER TABLE t DISABLE TRIGGER USER;"
            + " DELETE FROM t WHERE id = 1; UPDATE t SET v = 'c'");
    source.apply();
    assertEquals(
        List.of("delete {\"id\":1}", "update {\"id\":2}"),
        ops(4).subList(2, 4).stream().sorted().toList());
  }

  @Test
  void triggersThatSomeoneDroppedComeBackAndTheMissedIsTold() throws Exception {
    source.sql("CREATE TABLE t (id int PRIMARY KEY, v text)");
    source.capture("t").awaitCaptured("t");
    source.sql("INSERT INTO t VALUES (1, 'a')");
    ops(1);
    source.sql("ALTER TABLE t DISABLE TRIGGER USER");
    source.sql("INSERT INTO t VALUES (2, 'missed')");
    assertEquals(List.of("insert {\"id\":1}", "insert {\"id\":2}"), ops(2));
    source.sql("INSERT INTO t VALUES (3, 'c')");
    assertTrue(ops(3).contains("insert {\"id\":3}"));
  }

  @Test
  void databaseThatIsDownForAWhileIsWaitedForAndNothingIsMissed(@TempDir Path directory)
      throws Exception {
    PostgreSqlOptions options = PostgreSqlOptions.defaults();
    try (TopicLog catalog = source.catalog()) {
      int port;
      try (EmbeddedPostgreSql server = EmbeddedPostgreSql.start(directory, options);
          Connection connection = server.connect("postgres");
          Statement statement = connection.createStatement()) {
        port = server.port();
        statement.execute("CREATE TABLE t (id int PRIMARY KEY)");
        source.with(PostgresSettings.URL, "jdbc:postgresql://127.0.0.1:" + port + "/postgres");
        source.with(PostgresSettings.PASSWORD, server.password()).capture("t");
        await().until(() -> catalog.latest().toString().contains("\"state\":\"STREAMING\""));
        statement.execute("INSERT INTO t VALUES (1)");
        ops(1);
      }
      await().until(() -> catalog.latest().toString().contains("can't be reached"));
      try (EmbeddedPostgreSql server = EmbeddedPostgreSql.start(directory, options.withPort(port));
          Connection connection = server.connect("postgres");
          Statement statement = connection.createStatement()) {
        statement.execute("INSERT INTO t VALUES (2)");
        assertEquals(List.of("insert {\"id\":1}", "insert {\"id\":2}"), ops(2));
        assertTrue(source.connect().status(source.connectorName()).orElseThrow().running());
      }
    }
  }
}
