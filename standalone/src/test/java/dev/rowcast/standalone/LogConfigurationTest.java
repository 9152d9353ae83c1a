package dev.rowcast.standalone;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.apache.logging.log4j.core.LoggerContext;
import org.apache.logging.log4j.core.config.ConfigurationSource;
import org.apache.logging.log4j.core.config.xml.XmlConfiguration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** What {@code log4j2.xml} makes of what libraries say. */
@Isolated
class LogConfigurationTest {
  private static final String TASKS = "org.apache.kafka.streams.processor.internals.TaskManager";
  private static final String CORRUPTED =
      "0_1=org.apache.kafka.streams.errors.TaskCorruptedException: Tasks [0_1] are corrupted and"
          + " hence need to be re-initialized";

  @Test
  void aTaskThatIsMadeAnewIsAWarningThatSaysSo() throws Exception {
    List<String> lines =
        logged(
            "stream-thread [t] Get exceptions for the following tasks: {" + CORRUPTED + "}",
            "stream-thread [t] Get exceptions for the following tasks: {"
                + CORRUPTED
                + ", "
                + CORRUPTED.replace("0_1", "0_2")
                + "}");
    assertEquals(2, lines.size(), lines.toString());
    for (String line : lines) {
      assertTrue(line.contains(" WARN "), line);
      assertTrue(line.contains("TaskCorruptedException"), line);
      assertTrue(line.contains("it mends itself: "), line);
    }
  }

  @Test
  void otherFailuresOfTasksStayErrors() throws Exception {
    for (String message :
        List.of(
            "Get exceptions for the following tasks: {0_1=java.io.IOException: disk}",
            "Get exceptions for the following tasks: {"
                + CORRUPTED
                + ", 0_2=java.io.IOException: disk}",
            "Failed to close task 0_1 cleanly: TaskCorruptedException")) {
      List<String> lines = logged(message);
      assertEquals(1, lines.size(), lines.toString());
      assertTrue(lines.get(0).contains(" ERROR "), lines.get(0));
      assertTrue(lines.get(0).endsWith(message), lines.get(0));
    }
  }

  /** By another stream than the one that this process's own log goes to. */
  private static List<String> logged(String... messages) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    PrintStream before = System.out;
    System.setOut(new PrintStream(out, true, StandardCharsets.UTF_8));
    try (LoggerContext context = new LoggerContext("test")) {
      context.start(
          new XmlConfiguration(
              context, new ConfigurationSource(new ByteArrayInputStream(configuration()))));
      for (String message : messages) {
        context.getLogger(TASKS).error(message);
      }
    } finally {
      System.setOut(before);
    }
    return out.toString(StandardCharsets.UTF_8).lines().toList();
  }

  private static byte[] configuration() throws IOException {
    try (InputStream file = LogConfigurationTest.class.getResourceAsStream("/log4j2.xml")) {
      return new String(file.readAllBytes(), StandardCharsets.UTF_8)
          .replace("SYSTEM_ERR", "SYSTEM_OUT")
          .getBytes(StandardCharsets.UTF_8);
    }
  }
}
