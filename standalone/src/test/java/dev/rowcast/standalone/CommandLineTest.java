package dev.rowcast.standalone;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
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
  void everyFaultOfRulesAndMasksStandsInTheOneListByLine() throws IOException {
    Outcome outcome =
        validate(
            """
            sources:
              - {id: db, type: postgresql, url: "jdbc:postgresql://h/shop", username: u, password: p}
            tables:
              - id: orders
                source_id: db
                columns:
                  - {name: id, data_type: bigint}
                  - name: note
                    data_type: text
                    mask: {type: regex, pattern: '(?=x)', replace: y}
                live:
                  outputs: [{type: kafka, topic: t}]
              - {id: gone, source_id: nowhere}
            roles: [{id: analyst}, {id: viewer}]
            rls_rules:
              - {table_id: orders, role_id: viewer, filter: "note = "}
              - table_id: orders
                role_id: analyst
                filter: |
                  id = 'x' ~
              - {table_id: gone, role_id: viewer, filter: "nonsense here"}
            webhooks: []
            """);
    assertEquals(2, outcome.code());
    List<String> lines = outcome.err().lines().toList();
    String said = outcome.err();
    assertEquals(
        List.of("10", "12", "12", "13", "16", "19", "22"),
        lines.stream()
            .filter(line -> line.contains("rowcast.yaml:"))
            .map(line -> line.replaceAll(".*rowcast\\.yaml:(\\d+):.*", "$1"))
            .toList(),
        said);
    assertTrue(
        lines.stream().filter(l -> l.contains(".yaml:")).allMatch(l -> l.contains("(expected: ")),
        said);
    assertTrue(
        said.contains("rls_rules[0].filter: rule of table 'orders' for role 'viewer'"), said);
    assertTrue(said.contains("tables[0].columns[1].mask: mask of table 'orders'"), said);
    assertTrue(said.contains("webhooks: not available in this version"), said);
    assertTrue(said.contains("this output is unfiltered"), said);
    assertEquals("5 faults", lines.get(lines.size() - 1), said);
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
  void aTakenPortIsSaidBeforeAnythingStarts() throws IOException {
    try (ServerSocket other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      String port = Integer.toString(other.getLocalPort());
      Path data = directory.resolve("demo");
      assertOneLine(
          run("demo", "--port", port, "--data-dir", data.toString()),
          "rowcast demo: --port: port " + port + " on 127.0.0.1 can't be had",
          "choose another with --port");
      assertFalse(Files.exists(data));

      Path file = directory.resolve("taken.yaml");
      Files.writeString(
          file,
          VALID
              + "server: {host: 127.0.0.1, port: "
              + port
              + "}\nkafka: {bootstrap_servers: '127.0.0.1:1'}\n");
      Path state = directory.resolve("state");
      assertOneLine(
          run("serve", "--config", file.toString(), "--state-dir", state.toString()),
          "server.port: port " + port + " on 127.0.0.1 can't be had",
          "choose another server.port");
      assertFalse(Files.exists(state));
    }
  }

  @Test
  void anAddressOfAnotherMachineIsSaidBeforeAnythingStarts() throws IOException {
    Path file = directory.resolve("elsewhere.yaml");
    Files.writeString(file, VALID + "server: {host: 192.0.2.1, port: 8080}\n");
    assertOneLine(run("serve", "--config", file.toString()), "port 8080 on 192.0.2.1 can't be had");
  }

  private static void assertOneLine(Outcome outcome, String... parts) {
    assertEquals(1, outcome.code(), outcome.err());
    List<String> said =
        outcome.err().lines().filter(line -> !line.startsWith("warning: ")).toList();
    assertEquals(1, said.size(), outcome.err());
    for (String part : parts) {
      assertTrue(said.get(0).contains(part), said.get(0));
    }
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
