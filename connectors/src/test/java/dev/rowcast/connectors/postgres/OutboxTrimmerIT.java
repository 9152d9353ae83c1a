package dev.rowcast.connectors.postgres;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What becomes of the outbox once Kafka has its rows, and that none of them goes too early. */
class OutboxTrimmerIT extends PostgresIT {
  private static final Duration BOTH_TURNS = Duration.ofSeconds(30);
  private static final String IN_BOTH_SLOTS =
      """
      INSERT INTO rowcast.outbox (occurred, captured, depth, op, slot, new, writer)
      SELECT now(), 0, 0, 'i', n %% 2, repeat(md5(n::text), 30), 'nobody'
      FROM generate_series(1, %d) AS n
      """;

  private void fillBothSlots() throws SQLException {
    source.sql(IN_BOTH_SLOTS.formatted(24_000)); // some 12 MiB each
  }

  private long bytes(int slot) throws SQLException {
    return source.count("SELECT pg_table_size('rowcast.outbox_" + slot + "')");
  }

  private String snapshot() throws SQLException {
    return source.text("SELECT pg_current_snapshot()");
  }

  /** Only the trimmer tends this outbox: the connector is gone. */
  private OutboxTrimmer trimmerAlone(Connection session) throws SQLException {
    source.sql("CREATE TABLE t (id int PRIMARY KEY)");
    source.capture("t").awaitCaptured("t");
    source.connect().delete(source.connectorName());
    await()
        .until(
            () ->
                source.count(
                        "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
                            + " AND application_name LIKE 'rowcast %'")
                    == 0);
    return new OutboxTrimmer(session);
  }

  @Test
  void slotsThatHaveGrownAreEmptiedInTurnAndNothingIsLost() throws Exception {
    source.sql("CREATE TABLE t (id int PRIMARY KEY, v text)");
    source.capture("t").awaitCaptured("t");
    int rows = 0;
    for (int i = 0; i < 6; i++) { // across a change of slots
      source.sql(
          "INSERT INTO t SELECT n, repeat('x', 900) FROM generate_series(%d, %d) AS n"
              .formatted(rows + 1, rows + 6_000));
      rows += 6_000;
      Thread.sleep(1_000);
    }
    List<String> told = ops(rows);
    assertEquals(rows, told.stream().distinct().count());
    await()
        .atMost(BOTH_TURNS)
        .until(() -> source.count("SELECT count(*) FROM rowcast.outbox") == 0);
    assertTrue(bytes(0) + bytes(1) < 16 << 20, "of 36 MB");
    source.sql("INSERT INTO t VALUES (0, 'after')");
    assertEquals("insert {\"id\":0}", ops(rows + 1).get(rows));
  }

  @Test
  void whatKafkaLacksStays() throws Exception {
    try (Connection session = source.session()) {
      OutboxTrimmer trimmer = trimmerAlone(session);
      fillBothSlots();
      String acknowledged = snapshot();
      source.sql(IN_BOTH_SLOTS.formatted(2));
      for (int i = 0; i < 5; i++) {
        trimmer.trim(acknowledged);
        Thread.sleep(1_000);
      }
      assertTrue(source.count("SELECT count(*) FROM rowcast.outbox") >= 2);
      assertEquals(
          2,
          source.count(
              "SELECT count(*) FROM rowcast.outbox WHERE txid >= pg_snapshot_xmax('%s')"
                  .formatted(acknowledged)));
    }
  }

  @Test
  void writerOfLongKeepsItsSlotAndWaitsForNobody() throws Exception {
    try (Connection session = source.session();
        Connection writer = source.session();
        Statement write = writer.createStatement()) {
      OutboxTrimmer trimmer = trimmerAlone(session);
      fillBothSlots();
      writer.setAutoCommit(false);
      write.execute(IN_BOTH_SLOTS.formatted(1)); // slot 1
      await()
          .atMost(BOTH_TURNS)
          .until(
              () -> {
                trimmer.trim(snapshot());
                return bytes(0) < 1 << 20;
              });
      write.execute("SET statement_timeout = '2s'");
      write.execute(IN_BOTH_SLOTS.formatted(2));
      writer.commit();
      assertEquals(1, source.count("SELECT count(*) FROM rowcast.outbox_0"));
      assertEquals(12_002, source.count("SELECT count(*) FROM rowcast.outbox_1"));
    }
  }

  @Test
  void readerOfLongPutsItOff() throws Exception {
    try (Connection session = source.session();
        Connection reader = source.session();
        Statement read = reader.createStatement()) {
      OutboxTrimmer trimmer = trimmerAlone(session);
      fillBothSlots();
      reader.setAutoCommit(false);
      read.execute("SELECT 1 FROM rowcast.outbox LIMIT 1");
      for (int i = 0; i < 5; i++) {
        trimmer.trim(snapshot());
        Thread.sleep(1_000);
      }
      assertEquals(24_000, source.count("SELECT count(*) FROM rowcast.outbox"));
      reader.commit();
      await()
          .atMost(BOTH_TURNS)
          .until(
              () -> {
                trimmer.trim(snapshot());
                return bytes(0) + bytes(1) < 1 << 20;
              });
    }
  }

  @Test
  void outboxOfVersionOneMovesWithItsRows() throws Exception {
    source.sql(version1());
    source.sql("INSERT INTO rowcast.installation (version, source) VALUES (1, '" + name() + "')");
    source.sql("CREATE TABLE t (id int PRIMARY KEY)");
    source.sql(
        "INSERT INTO rowcast.captured (schema_name, table_name, relation, definition)"
            + " VALUES ('public', 't', 't'::regclass, 'older')");
    source.sql(
        "BEGIN; INSERT INTO t VALUES (1);"
            + " INSERT INTO rowcast.outbox (occurred, captured, depth, op, new, writer)"
            + " VALUES (now(), 1, 1, 'i', '{\"id\":1}', 'somebody'); COMMIT");
    source.capture("t").awaitCaptured("t");
    source.sql("INSERT INTO t VALUES (2)");
    assertEquals(List.of("insert {\"id\":1}", "insert {\"id\":2}"), ops(2));
    assertEquals(2, source.count("SELECT version FROM rowcast.installation"));
  }

  private String name() {
    return source.name();
  }

  private static String version1() throws IOException {
    try (InputStream in = OutboxTrimmerIT.class.getResourceAsStream("install-1.sql")) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
