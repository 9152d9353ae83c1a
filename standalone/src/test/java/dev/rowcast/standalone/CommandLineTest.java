package dev.rowcast.standalone;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
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
            VALID + "rls_rules: [{table_id: orders, role_id: analyst, filter: 'amount < 100'}]\n");
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
  void whatKeysCannotUnderstandIsNamedBeforeAnybodyIsAsked() {
    String[] create = {"keys", "create", "--name", "n", "--role", "r", "--key", "k"};
    assertEquals(2, run("keys").code());
    assertTrue(run("keys", "list", "--key", "").err().contains("--key: missing"));
    assertTrue(run("keys", "list", "--key", "k", "--url", "nowhere").err().contains("--url"));
    assertTrue(run(with(create, "--claim", "region")).err().contains("--claim: region"));
    assertTrue(run(with(create, "--claim", "level:={")).err().contains("JSON after :="));
    assertTrue(run(with(create, "--fields", "orders")).err().contains("--fields: orders"));
    Outcome nobody = run("keys", "list", "--key", "hush", "--url", "http://127.0.0.1:1");
    assertEquals(1, nobody.code());
    assertTrue(nobody.err().contains("no answer"), nobody.err());
    assertFalse(nobody.err().contains("hush"), nobody.err());
  }

  private static String[] with(String[] some, String... more) {
    String[] all = Arrays.copyOf(some, some.length + more.length);
    System.arraycopy(more, 0, all, some.length, more.length);
    return all;
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
