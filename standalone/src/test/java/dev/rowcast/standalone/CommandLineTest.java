package dev.rowcast.standalone;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class CommandLineTest {
  private static final String VALID =
      """
      sources:
        - {id: db, type: postgresql, url: "jdbc:postgresql://localhost/shop", username: u, password: p}
      tables:
        - {id: orders, source_id: db}
      roles: [{id: analyst}]
      """;

  @TempDir private Path directory;

  /** What a command said and with which code it ended. */
  private record Outcome(int code, String out, String err) {}

  private static Outcome run(String... args) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int code =
        new CommandLine(new Rowcast())
            .setOut(new PrintWriter(out, true))
            .setErr(new PrintWriter(err, true))
            .execute(args);
    return new Outcome(code, out.toString(), err.toString());
  }

  private Outcome validate(String yaml) throws IOException {
    Path file = directory.resolve("rowcast.yaml");
    Files.writeString(file, yaml);
    return run("validate", "--config", file.toString());
  }

  @Test
  void aValidConfigurationIsSaidToBe() throws IOException {
    Outcome outcome = validate(VALID);
    assertEquals(0, outcome.code(), outcome.err());
    assertTrue(outcome.out().contains("valid, 1 tables of 1 sources"), outcome.out());
  }

  @Test
  void everyFaultIsNamedWithItsLineAndItsMend() throws IOException {
    Outcome outcome = validate(VALID.replace("source_id: db", "source_id: bd") + "tabels: []\n");
    assertEquals(2, outcome.code());
    assertTrue(outcome.err().contains("rowcast.yaml:4:"), outcome.err());
    assertTrue(outcome.err().contains("did you mean tables"), outcome.err());
    assertTrue(outcome.err().contains("2 faults"), outcome.err());
  }

  @Test
  void aRuleThatCannotBeUsedIsRefusedBeforeAnythingStarts() throws IOException {
    Outcome outcome =
        validate(
            VALID + "rls_rules: [{table_id: orders, role_id: analyst, filter: 'amount ~ 100'}]\n");
    assertEquals(2, outcome.code());
    assertTrue(outcome.err().contains("orders"), outcome.err());
    assertTrue(outcome.err().contains("analyst"), outcome.err());
  }

  @Test
  void aMissingFileIsNamed() {
    Outcome outcome = run("serve", "--config", directory.resolve("none.yaml").toString());
    assertEquals(2, outcome.code());
    assertTrue(outcome.err().contains("none.yaml: no such file"), outcome.err());
  }

  @Test
  void optionsOutOfRangeAreNamed() {
    Outcome port = run("demo", "--port", "70000");
    assertEquals(2, port.code());
    assertTrue(port.err().contains("--port: 70000 (expected: 0..65535)"), port.err());
    assertTrue(run("demo", "--rate", "-1").err().contains("--rate: -1.0 (expected: 0..10000)"));
    assertEquals(2, run().code());
  }
}
