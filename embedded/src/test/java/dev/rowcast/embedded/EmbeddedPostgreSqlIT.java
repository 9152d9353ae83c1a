package dev.rowcast.embedded;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EmbeddedPostgreSqlIT {
  @TempDir Path folder;

  @Test
  void rowsSurviveARestart() throws SQLException {
    try (EmbeddedPostgreSql server = start()) {
      assertTrue(server.createDatabase("shop"));
      execute(server, "shop", "CREATE TABLE orders AS SELECT 7 AS id");
    }
    try (EmbeddedPostgreSql server = start()) {
      assertFalse(server.createDatabase("shop"));
      assertEquals("7", query(server, "shop", "SELECT id FROM orders"));
    }
  }

  @Test
  void commitsAreDurableAndTextIsUnicode() throws SQLException {
    try (EmbeddedPostgreSql server = start()) {
      assertEquals(
          "on on on ÄÖ",
          query(
              server,
              "postgres",
              "SELECT concat_ws(' ', current_setting('fsync'), current_setting('synchronous_commit'),"
                  + " current_setting('full_page_writes'), upper('äö'))"));
    }
  }

  @Test
  void settingOverridesAndPasswordIsAsked() throws SQLException {
    PostgreSqlOptions options =
        PostgreSqlOptions.defaults()
            .withPassword("s3cret'&+ ä")
            .withSetting("wal_level", "logical");
    try (EmbeddedPostgreSql server = EmbeddedPostgreSql.start(folder, options)) {
      assertEquals("logical", query(server, "postgres", "SHOW wal_level"));
      String wrong = server.jdbcUrl("postgres").replace("s3cret", "other");
      SQLException refused =
          assertThrows(SQLException.class, () -> DriverManager.getConnection(wrong));
      assertEquals("28P01", refused.getSQLState());
    }
  }

  @Test
  void closingStopsTheServerAndEndsOpenSessions() throws SQLException {
    EmbeddedPostgreSql server = start();
    try (Connection session = server.connect("postgres")) {
      server.close();
      server.close();
      awaitGone(server.pid());
      assertThrows(SQLException.class, () -> session.createStatement().execute("SELECT 1"));
    }
  }

  @Test
  void serverThatEndsByItselfIsReported() throws SQLException {
    AtomicReference<String> failure = new AtomicReference<>();
    PostgreSqlOptions options = PostgreSqlOptions.defaults().withOnFatal(failure::set);
    try (EmbeddedPostgreSql server = EmbeddedPostgreSql.start(folder, options)) {
      ProcessHandle.of(server.pid()).orElseThrow().destroy();
      await().atMost(20, TimeUnit.SECONDS).until(() -> failure.get() != null);
      assertTrue(failure.get().startsWith("PostgreSQL ended by itself"), failure.get());
    }
    start().close();
  }

  @Test
  void closedServerIsNotReportedAsFailed() {
    AtomicReference<String> failure = new AtomicReference<>();
    EmbeddedPostgreSql.start(folder, PostgreSqlOptions.defaults().withOnFatal(failure::set))
        .close();
    assertNull(failure.get());
  }

  @Test
  void takenPortIsTold() throws IOException {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      PostgreSqlOptions options = PostgreSqlOptions.defaults().withPort(taken.getLocalPort());
      EmbeddedStartException refused =
          assertThrows(
              EmbeddedStartException.class, () -> EmbeddedPostgreSql.start(folder, options));
      assertTrue(
          refused
              .getMessage()
              .startsWith("port " + taken.getLocalPort() + " for PostgreSQL can't be had"),
          refused.getMessage());
    }
  }

  @Test
  void wrongSettingIsToldInTheServersWordsAndLeavesNothingRunning() throws IOException {
    PostgreSqlOptions options = PostgreSqlOptions.defaults().withSetting("wal_level", "nonsense");
    EmbeddedStartException refused =
        assertThrows(EmbeddedStartException.class, () -> EmbeddedPostgreSql.start(folder, options));
    assertTrue(refused.getMessage().contains("invalid value"), refused.getMessage());
    start().close();
  }

  @Test
  void clusterOfAnotherMajorVersionIsRefused() throws IOException {
    Path data = Files.createDirectories(folder.resolve("data"));
    Files.writeString(data.resolve("PG_VERSION"), "15\n");
    EmbeddedStartException refused = assertThrows(EmbeddedStartException.class, this::start);
    assertTrue(
        refused.getMessage().contains("was written by PostgreSQL 15, this is 17"),
        refused.getMessage());
  }

  @Test
  void halfMadeClusterIsMadeAnew() throws IOException {
    Files.writeString(
        Files.createDirectories(folder.resolve("data.new")).resolve("PG_VERSION"), "17\n");
    start().close();
  }

  @Test
  void serverLeftBehindWithoutItsWatcherIsStoppedByTheNextStart() throws Exception {
    start().close();
    Path ctl = PostgreSqlPrograms.unpacked(null, Unprivileged.choose()).program("pg_ctl");
    Process start =
        new ProcessBuilder(
                Unprivileged.choose()
                    .command(
                        List.of(
                            ctl.toString(),
                            "start",
                            "--wait",
                            "--pgdata=" + folder.resolve("data"),
                            "--log=" + folder.resolve("orphan.log"))))
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    assertEquals(0, start.waitFor());
    long orphan = Postmaster.of(folder.resolve("data")).orElseThrow().pid();
    try (EmbeddedPostgreSql server = start()) {
      assertNotEquals(orphan, server.pid());
      awaitGone(orphan);
    }
  }

  @Test
  void serverThatIsGoneBeforeItIsStoppedIsNoFault() throws Exception {
    start().close();
    PostgreSqlCluster cluster =
        new PostgreSqlCluster(
            folder,
            PostgreSqlPrograms.unpacked(null, Unprivileged.choose()),
            Unprivileged.choose());
    assertDoesNotThrow(() -> cluster.stop("fast"));
  }

  @Test
  void runsAsNobodyWhereRootHasNoUserNamespaces() throws SQLException {
    assumeTrue("root".equals(System.getProperty("user.name")), "needs root");
    for (int i = 0; i < 2; i++) {
      try (EmbeddedPostgreSql server =
          EmbeddedPostgreSql.start(folder, PostgreSqlOptions.defaults(), Unprivileged.NOBODY)) {
        assertEquals("1", query(server, "postgres", "SELECT 1"));
      }
    }
  }

  private EmbeddedPostgreSql start() {
    return EmbeddedPostgreSql.start(folder, PostgreSqlOptions.defaults());
  }

  /** A process counts as alive until its parent, which is not us, has looked at its end. */
  private static void awaitGone(long pid) {
    await()
        .atMost(15, TimeUnit.SECONDS)
        .until(() -> ProcessHandle.of(pid).filter(ProcessHandle::isAlive).isEmpty());
  }

  private static void execute(EmbeddedPostgreSql server, String database, String sql)
      throws SQLException {
    try (Connection connection = server.connect(database);
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private static String query(EmbeddedPostgreSql server, String database, String sql)
      throws SQLException {
    try (Connection connection = server.connect(database);
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      row.next();
      return row.getString(1);
    }
  }
}
