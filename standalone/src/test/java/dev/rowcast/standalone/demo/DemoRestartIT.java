package dev.rowcast.standalone.demo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(value = 5, unit = TimeUnit.MINUTES)
class DemoRestartIT {
  @TempDir private Path directory;

  @Test
  @SuppressWarnings("try") // the demo is there to be talked to from outside
  void nothingIsMissedThatChangedWhileRowcastWasAway() throws Exception {
    String cursor;
    String secret;
    try (Demo demo = start()) {
      DemoClient client = new DemoClient(directory);
      client.sql("UPDATE orders SET note = 'seen' WHERE id = 1");
      cursor = cursorAfter(client, client.changesAfter("earliest", "admin", "orders"));
      secret = client.key("admin");
    }
    try (Demo database = Demo.startDatabaseOnly(directory, reason -> {})) {
      new DemoClient(directory)
          .sql(
              "UPDATE orders SET note = 'away 1' WHERE id = 1",
              "UPDATE orders SET note = 'away 2' WHERE id = 1",
              "DELETE FROM orders WHERE id = 3");
    }
    try (Demo demo = start()) {
      DemoClient client = new DemoClient(directory);
      assertEquals(secret, client.key("admin"));
      List<String> missed = new ArrayList<>();
      String at = cursor;
      while (missed.size() < 3) {
        JsonNode page =
            client
                .get("/api/ddl/events/changes?wait=10000&tables=orders&cursor=" + at, "admin")
                .json();
        page.get("events")
            .forEach(e -> missed.add(e.get("op").asText() + " " + e.at("/data/note").asText()));
        at = page.get("cursor").asText();
      }
      assertEquals(List.of("update away 1", "update away 2", "delete "), missed);
    }
  }

  @Test
  @SuppressWarnings("try") // the demo is there to be talked to from outside
  void itStopsInTimeAndLeavesNoProcess() throws Exception {
    long stopping;
    try (Demo demo = Demo.start(directory, 0, 20, reason -> {})) {
      new DemoClient(directory)
          .get(
              "/api/ddl/events/changes?wait=10000&tables=orders&ops=update&cursor=earliest",
              "admin");
      assertFalse(processesOfTheDirectory().isEmpty());
      stopping = System.nanoTime();
    }
    Duration took = Duration.ofNanos(System.nanoTime() - stopping);
    assertTrue(took.compareTo(Duration.ofSeconds(10)) < 0, took.toString());
    assertEquals(List.of(), processesOfTheDirectory());
  }

  /** PostgreSQL and its watcher have the data directory among their arguments. */
  private List<String> processesOfTheDirectory() {
    return ProcessHandle.allProcesses()
        .filter(process -> process.pid() != ProcessHandle.current().pid())
        .map(process -> process.info().commandLine().orElse(""))
        .filter(command -> command.contains(directory.toString()))
        .toList();
  }

  private Demo start() throws Exception {
    return Demo.start(directory, 0, 0, reason -> {});
  }

  private static String cursorAfter(DemoClient client, JsonNode events) throws Exception {
    assertEquals("seen", events.get(events.size() - 1).at("/data/note").asText());
    return client.latest();
  }
}
