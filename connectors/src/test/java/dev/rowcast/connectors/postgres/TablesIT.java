package dev.rowcast.connectors.postgres;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rowcast.connectors.connect.ConnectCapture;
import dev.rowcast.problem.ProblemException;
import dev.rowcast.problem.ProblemType;
import dev.rowcast.source.TableDescriptor;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tables that come, go and change while everything runs, and what is refused. */
class TablesIT extends PostgresIT {

  private ConnectCapture capture() {
    return new ConnectCapture(source.connect(), source.name());
  }

  @Test
  void tablesAreSwitchedOnAndOffAndLeaveNoTrace() throws Exception {
    source.sql("CREATE TABLE a (id int PRIMARY KEY)");
    source.sql("CREATE TABLE b (id int PRIMARY KEY, v text); INSERT INTO b VALUES (1, 'x')");
    source.capture("a").awaitCaptured("a");
    TableDescriptor b = capture().enable(SourceUnderTest.table("b"));
    assertEquals(List.of("id"), b.key());
    assertEquals(b, capture().enable(SourceUnderTest.table("b")));
    source.sql("INSERT INTO b VALUES (2, 'y')");
    assertEquals("insert {\"id\":2}", ops(1).get(0));
    await().until(() -> rows.latest().size() == 2);

    source.sql("INSERT INTO b VALUES (3, 'last')");
    capture().disable(SourceUnderTest.table("b"));
    assertEquals("insert {\"id\":3}", ops(2).get(1));
    source.sql("DELETE FROM b WHERE id = 1");
    assertEquals(0, source.count("SELECT count(*) FROM pg_trigger WHERE tgrelid = 'b'::regclass"));
    ProblemException again =
        assertThrows(ProblemException.class, () -> capture().disable(SourceUnderTest.table("b")));
    assertEquals(ProblemType.NOT_FOUND, again.problem().type());

    // on again: what happened meanwhile is told
    capture().enable(SourceUnderTest.table("b"));
    assertEquals("delete {\"id\":1}", ops(3).get(2));

    capture().disable(SourceUnderTest.table("b"));
    capture().disable(SourceUnderTest.table("a"));
    await()
        .until(
            () -> source.count("SELECT count(*) FROM pg_namespace WHERE nspname = 'rowcast'") == 0);
    assertEquals(0, source.count("SELECT count(*) FROM pg_trigger WHERE NOT tgisinternal"));

    capture().enable(SourceUnderTest.table("a"));
    source.sql("INSERT INTO a VALUES (7)");
    assertEquals("insert {\"id\":7}", ops(4).get(3));
  }

  @Test
  void whatCannotBeCapturedIsRefusedByName() throws Exception {
    source.sql("CREATE TABLE a (id int PRIMARY KEY); CREATE TABLE nokey (id int)");
    source.sql("CREATE VIEW v AS SELECT * FROM a");
    source.capture("a").awaitCaptured("a");
    refused("nothing", ProblemType.UNKNOWN_TABLE);
    refused("nokey", ProblemType.NO_USABLE_KEY);
    refused("v", ProblemType.CAPTURE_REFUSED);
    source.sql("CREATE ROLE " + source.name() + "_guest LOGIN PASSWORD 'g'");
    Map<String, String> config = source.config();
    config.put(PostgresSettings.USER, source.name() + "_guest");
    config.put(PostgresSettings.PASSWORD, "g");
    String errors = source.connect().validate(config).toString();
    assertTrue(errors.contains("capture-refused"), errors);
    config.put(PostgresSettings.PASSWORD, "wrong");
    errors = source.connect().validate(config).toString();
    assertTrue(errors.contains(PostgresSettings.PASSWORD + "=["), errors);
    config.put(PostgresSettings.URL, "jdbc:postgresql://127.0.0.1:1/none");
    errors = source.connect().validate(config).toString();
    assertTrue(errors.contains("can't be reached"), errors);
  }

  private void refused(String table, ProblemType type) {
    ProblemException refused =
        assertThrows(ProblemException.class, () -> capture().enable(SourceUnderTest.table(table)));
    assertEquals(type, refused.problem().type(), refused.getMessage());
    assertTrue(refused.problem().detail().contains("public." + table));
  }

  @Test
  void columnsThatComeAndGoReachCatalogRowsAndEvents() throws Exception {
    source.sql("CREATE TABLE t (id int PRIMARY KEY, gone text)");
    source.sql("INSERT INTO t VALUES (1, 'x')");
    source.capture("t").awaitCaptured("t");
    await().until(() -> rows.latest().size() == 1);
    source.sql("ALTER TABLE t ADD COLUMN at timestamptz DEFAULT '2026-01-02 03:04:05+02'");
    source.sql("INSERT INTO t VALUES (2, 'y')");
    assertEquals(
        "insert {\"id\":2} {\"id\":2,\"gone\":\"y\",\"at\":\"2026-01-02T01:04:05Z\"}",
        events.changes(1).get(0));
    await()
        .until(
            () ->
                rows.latest()
                    .containsValue("{\"id\":1,\"gone\":\"x\",\"at\":\"2026-01-02T01:04:05Z\"}"));
    source.sql("ALTER TABLE t DROP COLUMN gone");
    await().until(() -> rows.latest().containsValue("{\"id\":1,\"at\":\"2026-01-02T01:04:05Z\"}"));
    source.sql("UPDATE t SET at = null WHERE id = 2");
    assertEquals("update {\"id\":2} {\"id\":2,\"at\":null}", events.changes(2).get(1));
    assertEquals(2, events.poll().size());
  }

  @Test
  void renamedTableKeepsItsNameInEventsAndSuccessorTakesItOver() throws Exception {
    source.sql("CREATE TABLE t (id int PRIMARY KEY)");
    source.capture("t").awaitCaptured("t");
    source.sql("ALTER TABLE t RENAME TO t_old");
    source.sql("INSERT INTO t_old VALUES (1)");
    ops(1);
    source.connect().restart(source.connectorName());
    source.sql("INSERT INTO t_old VALUES (2)");
    ops(2);
    source.sql("CREATE TABLE t (id int PRIMARY KEY); INSERT INTO t VALUES (2), (3)");
    assertEquals(
        List.of("delete {\"id\":1}", "insert {\"id\":3}"),
        ops(4).subList(2, 4).stream().sorted().toList());
    assertTrue(events.events().stream().allMatch(e -> e.table().name().equals("t")));
    assertEquals(
        0, source.count("SELECT count(*) FROM pg_trigger WHERE tgrelid = 't_old'::regclass"));
  }

  @Test
  void functionOfAnOlderVersionIsReplacedInPlace() throws Exception {
    source.sql("CREATE TABLE t (id int PRIMARY KEY)");
    source.capture("t").awaitCaptured("t");
    String installed = source.text("SELECT definition FROM rowcast.captured");
    source.sql("UPDATE rowcast.captured SET definition = 'older'");
    source.sql("INSERT INTO t VALUES (1)");
    source.connect().restart(source.connectorName());
    await().until(() -> source.text("SELECT definition FROM rowcast.captured").equals(installed));
    source.sql("INSERT INTO t VALUES (2)");
    assertEquals(List.of("insert {\"id\":1}", "insert {\"id\":2}"), ops(2));
    assertNotEquals("older", installed);
  }

  @Test
  void keyMayComeFromAUniqueIndexOrTheConfiguration() throws Exception {
    source.sql("CREATE TABLE u (a int NOT NULL, b text NOT NULL, c int)");
    source.sql("CREATE UNIQUE INDEX ON u (b, a) INCLUDE (c)");
    source.sql("CREATE TABLE k (a int NOT NULL, b text); INSERT INTO k VALUES (1, 'x')");
    source
        .with(
            PostgresSettings.TABLES,
            "[{\"schema\":\"public\",\"table\":\"u\"},"
                + "{\"schema\":\"public\",\"table\":\"k\",\"key\":[\"a\"],\"notify\":\"reader\"}]")
        .apply();
    source.awaitCaptured("u");
    source.awaitCaptured("k");
    source.sql("INSERT INTO u VALUES (1, 'x', 2)");
    source.sql("UPDATE k SET b = 'y'");
    assertEquals(List.of("insert {\"b\":\"x\",\"a\":1}", "update {\"a\":1}"), ops(2));
    await().until(() -> rows.latest().size() == 2);
  }
}
