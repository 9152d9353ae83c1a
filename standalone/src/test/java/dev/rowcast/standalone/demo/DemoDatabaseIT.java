package dev.rowcast.standalone.demo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DemoDatabaseIT {
  @TempDir private Path directory;

  @Test
  @SuppressWarnings("try") // the demo is there to be talked to from outside
  void whatWasDeletedStaysDeletedAndWhatWasDroppedComesBackEmpty() throws Exception {
    try (Demo demo = start()) {
      assertEquals("12 48 3 3 9", counts());
      new DemoClient(directory)
          .sql("DELETE FROM tasks", "DELETE FROM memberships", "DROP TABLE orders");
    }
    try (Demo demo = start()) {
      assertEquals("12 0 3 0 0", counts());
    }
  }

  @Test
  @SuppressWarnings("try") // the demo is there to be seen from outside
  void theDescriptionIsThereWhileTheDemoIs() throws Exception {
    Path description = directory.resolve("demo.json");
    Files.writeString(description, "{\"url\": \"of one that was killed\"}");
    try (Demo demo = start()) {
      String text = Files.readString(description);
      assertTrue(text.contains("jdbcUrl") && !text.contains("killed"), text);
    }
    assertFalse(Files.exists(description));
  }

  @Test
  @SuppressWarnings("try") // it only has to start
  void aStartThatFailsLeavesNoDescriptionOfAFormerOne() throws Exception {
    Files.writeString(directory.resolve("demo.json"), "{}");
    Files.writeString(directory.resolve("state.json"), "[]");
    assertThrows(IllegalStateException.class, this::start);
    assertFalse(Files.exists(directory.resolve("demo.json")));
    Files.delete(directory.resolve("state.json"));
    try (Demo demo = start()) { // nor is the directory still locked
      assertTrue(Files.exists(directory.resolve("demo.json")));
    }
  }

  private Demo start() throws SQLException {
    return Demo.startDatabaseOnly(directory, reason -> {});
  }

  private String counts() throws Exception {
    StringBuilder counts = new StringBuilder();
    try (Connection connection =
            DriverManager.getConnection(
                new DemoClient(directory).description().get("jdbcUrl").asText());
        Statement statement = connection.createStatement()) {
      for (String table :
          new String[] {"customers", "orders", "projects", "memberships", "tasks"}) {
        try (ResultSet row = statement.executeQuery("SELECT count(*) FROM " + table)) {
          row.next();
          counts.append(counts.isEmpty() ? "" : " ").append(row.getLong(1));
        }
      }
    }
    return counts.toString();
  }
}
