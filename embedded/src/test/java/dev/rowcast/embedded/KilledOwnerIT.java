package dev.rowcast.embedded;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A JVM with the whole stack that is killed outright, as by the kernel for want of memory. */
class KilledOwnerIT {
  private static final String CONNECT = "connect";
  private static final Path SETSID = Path.of("/usr/bin/setsid");

  @TempDir Path folder;

  @Test
  void killLeavesNoServerBehindAndLosesNoCommit() throws Exception {
    Owner owner = Owner.start(folder);
    owner.kill("-9", Long.toString(owner.pid()));
    awaitGone(owner.server());
    try (EmbeddedPostgreSql again =
            EmbeddedPostgreSql.start(folder.resolve("postgresql"), PostgreSqlOptions.defaults());
        Connection connection = again.connect("postgres");
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SELECT id FROM kept")) {
      assertTrue(row.next());
      assertEquals(7, row.getInt(1));
    }
  }

  @Test
  void killOfTheWholeProcessGroupLeavesNoServerBehind() throws Exception {
    assumeTrue(Files.isExecutable(SETSID), "needs setsid");
    Owner owner = Owner.start(folder);
    owner.kill("-9", "--", "-" + owner.pid());
    awaitGone(owner.server());
  }

  @Test
  void stackStartsAtOnceWhereAnotherWasKilled() throws Exception {
    Owner owner = Owner.startWithConnect(folder);
    owner.kill("-9", Long.toString(owner.pid()));
    try (EmbeddedStack stack =
        new EmbeddedStack(
            DataDirectory.open(folder),
            KafkaOptions.defaults(),
            ConnectOptions.defaults(),
            PostgreSqlOptions.defaults())) {
      stack.postgreSql();
      stack.connect();
    }
  }

  @Test
  void directoryOfALivingProcessIsRefusedByItsNumber() throws Exception {
    Owner owner = Owner.start(folder);
    try {
      EmbeddedStartException refused =
          assertThrows(EmbeddedStartException.class, () -> DataDirectory.open(folder));
      assertTrue(
          refused.getMessage().contains("is in use by process " + owner.pid() + " "),
          refused.getMessage());
    } finally {
      owner.kill("-9", Long.toString(owner.pid()));
    }
  }

  /**
   * What the killed JVM runs: starts the database in args[0], and what else is named, says the
   * server's number, stays.
   */
  @SuppressWarnings("SystemOut")
  static final class Main {
    public static void main(String[] args) throws Exception {
      EmbeddedStack stack =
          new EmbeddedStack(
              DataDirectory.open(Path.of(args[0])),
              KafkaOptions.defaults(),
              ConnectOptions.defaults(),
              PostgreSqlOptions.defaults());
      if (List.of(args).contains(CONNECT)) {
        stack.connect();
      }
      try (Connection connection = stack.postgreSql().connect("postgres");
          Statement statement = connection.createStatement()) {
        statement.execute("CREATE TABLE kept AS SELECT 7 AS id");
      }
      System.out.println("server " + stack.postgreSql().pid());
      System.in.read();
    }
  }

  /** That JVM, in a process group of its own where the machine can do that. */
  private record Owner(Process process, long server) {
    static Owner start(Path folder) throws IOException {
      return start(List.of(folder.toString()));
    }

    static Owner startWithConnect(Path folder) throws IOException {
      return start(List.of(folder.toString(), CONNECT));
    }

    private static Owner start(List<String> arguments) throws IOException {
      List<String> command = new ArrayList<>();
      if (Files.isExecutable(SETSID)) {
        command.add(SETSID.toString());
      }
      command.addAll(
          List.of(
              Path.of(System.getProperty("java.home"), "bin", "java").toString(),
              "-Xmx512m",
              "-cp",
              System.getProperty("java.class.path"),
              Main.class.getName()));
      command.addAll(arguments);
      Process process =
          new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
      BufferedReader output =
          new BufferedReader(
              new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
      for (String line = output.readLine(); line != null; line = output.readLine()) {
        if (line.startsWith("server ")) {
          return new Owner(process, Long.parseLong(line.substring("server ".length())));
        }
      }
      throw new IOException("the child ended before its server ran");
    }

    long pid() {
      return process.pid();
    }

    void kill(String... words) throws Exception {
      List<String> command = new ArrayList<>(List.of("kill"));
      command.addAll(List.of(words));
      assertEquals(0, new ProcessBuilder(command).inheritIO().start().waitFor());
      process.waitFor();
    }
  }

  private static void awaitGone(long pid) {
    await()
        .atMost(15, TimeUnit.SECONDS)
        .until(() -> ProcessHandle.of(pid).filter(ProcessHandle::isAlive).isEmpty());
  }
}
