package dev.rowcast.connectors.postgres;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.StringReader;
import java.sql.Connection;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.postgresql.PGConnection;

/** What statements of every kind become, and that none of them ever fails for our sake. */
class CaptureIT extends PostgresIT {

  @Test
  void statementThatShiftsKeysIsToldKeyByKey() throws Exception {
    source.sql("CREATE TABLE t (id int PRIMARY KEY, v text)");
    source.sql("INSERT INTO t VALUES (3, 'c'), (2, 'b'), (1, 'a')");
    source.capture("t").awaitCaptured("t");
    await().until(() -> rows.latest().size() == 3);
    source.sql("UPDATE t SET id = id + 10");
    source.sql("UPDATE t SET id = id + 1");

    List<String> told = events.changes(10);
    assertEquals(
        List.of("delete {\"id\":1}", "delete {\"id\":2}", "delete {\"id\":3}"),
        told.subList(0, 3).stream().sorted().toList());
    assertEquals(
        List.of(
            "delete {\"id\":11}",
            "insert {\"id\":14} {\"id\":14,\"v\":\"c\"}",
            "update {\"id\":12} {\"id\":12,\"v\":\"a\"}",
            "update {\"id\":13} {\"id\":13,\"v\":\"b\"}"),
        told.subList(6, 10).stream().sorted().toList());
    await().until(() -> rows.latest().size() == 3);
  }

  @Test
  void mergeUpsertCopyAndSavepointsAreTold() throws Exception {
    source.sql("CREATE TABLE t (id int PRIMARY KEY, v text)");
    source.capture("t").awaitCaptured("t");
    source
        .connection()
        .unwrap(PGConnection.class)
        .getCopyAPI()
        .copyIn("COPY t FROM STDIN", new StringReader("1\ta\n2\tb\n"));
    source.sql(
        "MERGE INTO t USING (VALUES (1), (2), (3)) s(id) ON t.id = s.id"
            + " WHEN MATCHED AND s.id = 1 THEN DELETE"
            + " WHEN MATCHED THEN UPDATE SET v = 'm'"
            + " WHEN NOT MATCHED THEN INSERT VALUES (s.id, 'm')");
    source.sql(
        "INSERT INTO t VALUES (3, 'x'), (4, 'y') ON CONFLICT (id) DO UPDATE SET v = excluded.v");
    source.sql(
        "BEGIN; INSERT INTO t VALUES (5, 'in'); SAVEPOINT a; INSERT INTO t VALUES (6, 'no');"
            + " ROLLBACK TO a; INSERT INTO t VALUES (7, 'in'); RELEASE a; COMMIT");
    source.sql("BEGIN; INSERT INTO t VALUES (8, 'no'); ROLLBACK");
    source.sql("DELETE FROM t WHERE id = 100");
    source.sql("INSERT INTO t VALUES (9, 'last')");

    List<String> told = ops(10);
    assertEquals(10, told.size());
    assertEquals(List.of("insert {\"id\":1}", "insert {\"id\":2}"), told.subList(0, 2));
    assertEquals(
        List.of("delete {\"id\":1}", "insert {\"id\":3}", "update {\"id\":2}"),
        told.subList(2, 5).stream().sorted().toList());
    assertEquals(
        List.of("insert {\"id\":4}", "update {\"id\":3}"),
        told.subList(5, 7).stream().sorted().toList());
    assertEquals(
        List.of("insert {\"id\":5}", "insert {\"id\":7}", "insert {\"id\":9}"),
        told.subList(7, 10));
  }

  @Test
  void truncateDeletesEveryRow() throws Exception {
    source.sql("CREATE TABLE t (id int PRIMARY KEY, v text)");
    source.capture("t").awaitCaptured("t");
    source.sql("INSERT INTO t SELECT g, 'x' FROM generate_series(1, 100) g");
    source.sql("TRUNCATE t");
    assertEquals(200, ops(200).size());
    assertEquals("{\"id\":1,\"v\":\"x\"}", String.valueOf(events.events().get(100).before()));
    await().until(() -> rows.latest().isEmpty());
  }

  @Test
  void truncateUnderAnOldSnapshotLeavesNoGhosts() throws Exception {
    source.sql("CREATE TABLE t (id int PRIMARY KEY, v text)");
    source.capture("t").awaitCaptured("t");
    try (Connection old = source.session();
        Statement statement = old.createStatement()) {
      statement.execute("BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT count(*) FROM pg_class");
      source.sql("INSERT INTO t VALUES (1, 'unseen')");
      assertEquals(1, ops(1).size());
      statement.execute("TRUNCATE t; COMMIT");
    }
    assertEquals(List.of("insert {\"id\":1}", "delete {\"id\":1}"), ops(2));
  }

  @Test
  void rowsThatTriggersOfTheTableChangeAgainEndAsTheTableHasThem() throws Exception {
    source.sql("CREATE TABLE t (id int PRIMARY KEY, v int)");
    source.sql(
        "CREATE FUNCTION again() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN"
            + " IF NEW.v < 3 THEN UPDATE t SET v = v + 1 WHERE id = NEW.id; END IF;"
            + " RETURN NULL; END $$");
    source.sql(
        "CREATE TRIGGER a AFTER INSERT OR UPDATE ON t FOR EACH ROW EXECUTE FUNCTION again()");
    source.capture("t").awaitCaptured("t");
    source.sql("INSERT INTO t VALUES (1, 0), (2, 1)");

    List<String> told = events.changes(7);
    assertEquals(
        List.of(
            "insert {\"id\":1} {\"id\":1,\"v\":0}",
            "update {\"id\":1} {\"id\":1,\"v\":1}",
            "update {\"id\":1} {\"id\":1,\"v\":2}",
            "update {\"id\":1} {\"id\":1,\"v\":3}"),
        told.stream().filter(change -> change.contains(" {\"id\":1} ")).toList());
    await().until(() -> rows.latest().toString().contains("{\"id\":2,\"v\":3}"));
  }

  @Test
  void noSettingOfASessionMakesItsWritesFailOrReadDifferently() throws Exception {
    source.sql(
        "CREATE TABLE t (id int PRIMARY KEY, at timestamptz, i interval, f float8, b bytea)");
    // the driver refuses this style as a session's
    source.sql(
        "CREATE FUNCTION renumber() RETURNS void LANGUAGE sql SET \"DateStyle\" = 'German, DMY'"
            + " AS $$ UPDATE public.t SET id = id + 10 WHERE id = 2 $$");
    source.sql("CREATE ROLE " + source.name() + "_writer LOGIN PASSWORD 'w'");
    source.sql("GRANT SELECT, INSERT, UPDATE ON t TO " + source.name() + "_writer");
    source.sql("GRANT USAGE ON SCHEMA public TO " + source.name() + "_writer");
    source.capture("t").awaitCaptured("t");
    String row = "'2026-01-02 03:04:05.678901+02', '1 day 2 hours', 0.1, '\\x00ff')";
    source.sql("INSERT INTO t VALUES (1, " + row);
    try (Connection hostile = source.session();
        Statement statement = hostile.createStatement()) {
      statement.execute("CREATE SCHEMA trap");
      statement.execute(
          "CREATE FUNCTION trap.row_to_json(public.t) RETURNS json LANGUAGE sql AS"
              + " $$ SELECT 'null'::json $$");
      statement.execute("GRANT USAGE ON SCHEMA trap TO PUBLIC");
      statement.execute("SET SESSION AUTHORIZATION " + source.name() + "_writer");
      statement.execute("SET search_path = trap, public, pg_catalog");
      statement.execute("SET TimeZone = 'Asia/Kathmandu'");
      statement.execute("SET IntervalStyle = 'sql_standard'; SET extra_float_digits = -15");
      statement.execute("SET bytea_output = 'escape'; SET standard_conforming_strings = off");
      statement.execute("SET default_transaction_isolation = 'serializable'");
      statement.execute("SET enable_hashjoin = off; SET enable_mergejoin = off; SET work_mem = 64");
      statement.execute("SET \"rowcast.actor\" = '{not json'");
      statement.execute(
          "INSERT INTO public.t VALUES (2, " + row.replace("'\\x00ff'", "decode('00ff', 'hex')"));
      statement.execute("SELECT public.renumber()");
    }
    List<String> told = events.changes(4);
    assertEquals(told.get(0).replace("\"id\":1", ""), told.get(1).replace("\"id\":2", ""));
    assertEquals(
        "{\"id\":12,\"at\":\"2026-01-02T01:04:05.678901Z\",\"i\":\"P1DT2H\",\"f\":0.1,"
            + "\"b\":\"AP8=\"}",
        String.valueOf(events.events().get(3).data()));
    assertTrue(
        events.values().get(1).contains("\"actor\":{\"user\":\"" + source.name() + "_writer\"}"));
  }

  @Test
  void theActorIsWhoTheSessionSaysItIs() throws Exception {
    source.sql("CREATE TABLE t (id int PRIMARY KEY)");
    source.capture("t").awaitCaptured("t");
    source.sql(
        "SET \"rowcast.actor\" = '{\"role\": \"analyst\", \"sub\": \"u-7\"}';"
            + " INSERT INTO t VALUES (1); SET \"rowcast.actor\" = '[1]'; INSERT INTO t VALUES (2);"
            + " RESET \"rowcast.actor\"; INSERT INTO t VALUES (3)");
    ops(3);
    assertTrue(
        events.values().get(0).endsWith("\"actor\":{\"role\":\"analyst\",\"sub\":\"u-7\"}}"));
    assertTrue(events.values().get(1).endsWith("\"actor\":{\"user\":\"postgres\"}}"));
    assertTrue(events.values().get(2).endsWith("\"actor\":{\"user\":\"postgres\"}}"));
  }

  @Test
  void namesOfEveryKindAreTold() throws Exception {
    String table = "Größe \"quoted\" 'and' \\more";
    String quoted = "\"" + table.replace("\"", "\"\"") + "\"";
    String longName = "a".repeat(63);
    source.sql(
        "CREATE TABLE "
            + quoted
            + " (\"Id\" int, \"n\" int, \"o\" text, actor text, made text, capture text,"
            + " \"user\" text, depth int, t text, PRIMARY KEY (\"Id\", \"n\"))");
    source.sql("CREATE TABLE \"select\" (\"from\" int PRIMARY KEY, \"a\\b\" text)");
    source.sql("CREATE TABLE " + longName + " (" + longName + " int PRIMARY KEY)");
    source
        .with(
            PostgresSettings.TABLES,
            TableSetting.print(
                List.of(
                    TableSetting.of(SourceUnderTest.table(table)),
                    TableSetting.of(SourceUnderTest.table("select")),
                    TableSetting.of(SourceUnderTest.table(longName)))))
        .apply();
    source.awaitCaptured(quoted);
    source.awaitCaptured("\"select\"");
    source.awaitCaptured(longName);
    source.sql("INSERT INTO " + quoted + " VALUES (1, 2, 'o', 'a', 'm', 'c', 'u', 3, 't')");
    source.sql("UPDATE " + quoted + " SET \"n\" = 3, o = 'p'");
    source.sql("UPDATE " + quoted + " SET o = 'q'");
    source.sql("INSERT INTO \"select\" VALUES (1, 'x')");
    source.sql("INSERT INTO " + longName + " VALUES (1)");
    source.sql("TRUNCATE " + quoted);
    List<String> told = ops(7);
    assertEquals(
        List.of(
            "insert {\"Id\":1,\"n\":2}",
            "delete {\"Id\":1,\"n\":2}",
            "insert {\"Id\":1,\"n\":3}",
            "update {\"Id\":1,\"n\":3}",
            "insert {\"from\":1}",
            "insert {\"" + longName + "\":1}",
            "delete {\"Id\":1,\"n\":3}"),
        told);
    assertEquals(table, events.events().get(0).table().name());
  }

  @Test
  void largeAndStrangePayloadsArriveWhole() throws Exception {
    source.sql("CREATE TABLE t (id int PRIMARY KEY, v text, j json)");
    source.capture("t").awaitCaptured("t");
    int id = 0;
    for (int length : new int[] {7_999, 8_000, 100_000}) {
      source.sql("INSERT INTO t VALUES (" + ++id + ", repeat('é€😀x', " + length + "))");
    }
    source.sql("INSERT INTO t VALUES (4, null, '{\"nul\": \"a\\u0000b\", \"lone\": \"\\ud800\"}')");
    events.until(all -> all.size() >= 4);
    assertEquals("é€😀x".repeat(100_000), events.events().get(2).data().stringValue(1));
    assertEquals(
        "{\"id\":4,\"v\":null,\"j\":{\"nul\":\"a\\u0000b\",\"lone\":\"\\ud800\"}}",
        String.valueOf(events.events().get(3).data()));
  }

  @Test
  void writesToPartitionedTablesAreToldOnceWhicheverTableTheyName() throws Exception {
    source.sql(
        "CREATE TABLE p (id int, region text, PRIMARY KEY (id, region))"
            + " PARTITION BY LIST (region)");
    source.sql("CREATE TABLE p_east PARTITION OF p FOR VALUES IN ('east')");
    source.sql("CREATE TABLE p_west PARTITION OF p FOR VALUES IN ('west')");
    source.capture("p").awaitCaptured("p_west");
    source.sql("INSERT INTO p VALUES (1, 'east')");
    source.sql("INSERT INTO p_west VALUES (2, 'west')");
    source.sql("UPDATE p SET region = 'west' WHERE id = 1");
    assertEquals(4, ops(4).size());
    source.sql("CREATE TABLE p_north PARTITION OF p FOR VALUES IN ('north')");
    source.awaitCaptured("p_north");
    source.sql("INSERT INTO p_north VALUES (3, 'north')");
    source.sql("TRUNCATE p");
    List<String> told = ops(8);
    assertEquals(8, told.size());
    assertEquals("insert {\"id\":3,\"region\":\"north\"}", told.get(4));
    assertTrue(events.events().stream().allMatch(e -> e.table().name().equals("p")));
    await().until(() -> rows.latest().isEmpty());
  }
}
