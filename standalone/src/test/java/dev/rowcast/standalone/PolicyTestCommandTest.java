package dev.rowcast.standalone;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

class PolicyTestCommandTest {
  private static final String CONFIGURATION =
      """
      sources:
        - {id: db, type: postgresql, url: "jdbc:postgresql://localhost/shop", username: u, password: p}
      tables:
        - id: orders
          source_id: db
          columns:
            - {name: region, data_type: text}
            - {name: amount, data_type: numeric, visible_to: [admin]}
            - {name: note, data_type: text, mask: {type: constant, value: masked}}
      roles: [{id: analyst}, {id: guest}, {id: member}]
      rls_rules:
        - {table_id: orders, role_id: analyst, filter: "region = :region AND NOT amount > 100"}
        - {table_id: orders, role_id: member, filter: "EXISTS (SELECT 1 FROM orders o WHERE o.region = orders.region)"}
      """;
  private static final String EVENT =
      """
      {
        "id": 7, "occurredUtc": "2026-11-30T20:12:31.123456Z", "schema": "public",
        "table": "orders", "op": "insert", "rowKey": {"id": 43},
        "data": {"id": 43, "amount": 55.00, "region": "emea", "note": "hush"},
        "changedColumns": [], "actor": null
      }
      """;

  @TempDir private Path directory;

  /** What the command said and with which code it ended. */
  private record Outcome(int code, String out, String err) {}

  @BeforeEach
  void write() throws IOException {
    Files.writeString(directory.resolve("rowcast.yaml"), CONFIGURATION);
  }

  private Outcome test(String as, String event, String... more) throws IOException {
    Path file = Files.writeString(directory.resolve("event.json"), event);
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    String[] all = new String[8 + more.length];
    System.arraycopy(
        new String[] {
          "policy",
          "test",
          "--config",
          directory.resolve("rowcast.yaml").toString(),
          "--as",
          as,
          "--event",
          file.toString()
        },
        0,
        all,
        0,
        8);
    System.arraycopy(more, 0, all, 8, more.length);
    int code =
        new CommandLine(new Rowcast())
            .setOut(new PrintWriter(out, true))
            .setErr(new PrintWriter(err, true))
            .execute(all);
    return new Outcome(code, out.toString(), err.toString());
  }

  @Test
  void whatIsSeenIsPrintedAsItWouldArriveAndWhy() throws IOException {
    Outcome outcome = test("analyst:{\"region\":\"emea\"}", EVENT);
    assertEquals(0, outcome.code(), outcome.err());
    assertEquals(
        """
        visible: a rule is true of the row
        {"id":7,"occurredUtc":"2026-11-30T20:12:31.123456Z","schema":"public","table":"orders",\
        "op":"insert","rowKey":{"id":43},"data":{"id":43,"region":"emea","note":"masked"},\
        "changedColumns":[],"actor":null}
        rule of analyst
          true: region = :region AND NOT amount > 100
            true: region = :region
            true: NOT amount > 100
              false: amount > 100
          columns: amount, region
          claims: {region=emea}
        column amount: hidden
        column note: masked
        """,
        outcome.out());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          analyst:{"region":"apac"} | false: region = :region
          analyst                   | claim-missing (claim 'region' is missing)
          guest                     | hidden: other roles have a rule
          member                    | failed (no look-ups here)
          """)
  void whatIsHiddenIsNotPrinted(String as, String why) throws IOException {
    Outcome outcome = test(as, EVENT);
    assertEquals(0, outcome.code(), outcome.err());
    assertTrue(outcome.out().startsWith("hidden: "), outcome.out());
    assertTrue(outcome.out().contains(why), outcome.out());
    assertFalse(outcome.out().contains("\"data\""), outcome.out());
  }

  @Test
  void aDeleteIsItsRowKey() throws IOException {
    String delete = EVENT.replace("insert", "delete").replaceAll("\"data\".*", "\"data\": null,");
    Outcome outcome = test("analyst", delete);
    assertTrue(outcome.out().startsWith("visible: a delete is told"), outcome.out());
    assertTrue(outcome.out().contains("\"rowKey\":{\"id\":43}"), outcome.out());
  }

  @Test
  void whatIsExpectedOtherwiseFails() throws IOException {
    assertEquals(0, test("guest", EVENT, "--expect", "hidden").code());
    Outcome outcome = test("guest", EVENT, "--expect", "visible");
    assertEquals(1, outcome.code());
    assertTrue(outcome.err().contains("hidden (expected: visible)"), outcome.err());
  }

  @ParameterizedTest
  @ValueSource(strings = {"stranger", "", "analyst:{x", "analyst:{\"a\":1,\"a\":2}"})
  void whoCannotBeUnderstoodIsNamed(String as) throws IOException {
    Outcome outcome = test(as, EVENT);
    assertEquals(2, outcome.code());
    assertTrue(outcome.err().contains("--as: "), outcome.err());
    assertEquals("", outcome.out());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "[]",
        "{}",
        "{\"schema\":1,\"table\":\"orders\",\"op\":\"insert\",\"rowKey\":{}}",
        "{\"schema\":\"public\",\"table\":\"orders\",\"op\":\"insert\",\"rowKey\":{}}",
        "{\"schema\":\"public\",\"table\":\"orders\",\"op\":\"insert\",\"rowKey\":{},\"data\":7}",
        "{\"schema\":\"public\",\"table\":\"orders\",\"op\":\"upsert\",\"rowKey\":{},\"data\":{}}",
        "{\"schema\":\"public\",\"table\":\"orders\",\"op\":\"insert\",\"rowKey\":{},"
            + "\"data\":{\"region\":\"a\",\"region\":\"b\"}}",
        "{\"id\":-1,\"schema\":\"public\",\"table\":\"orders\",\"op\":\"delete\",\"rowKey\":{}}",
      })
  void whatIsNoEventIsRefused(String event) throws IOException {
    Outcome outcome = test("admin", event);
    assertEquals(2, outcome.code(), outcome.out());
    assertTrue(outcome.err().contains("--event: "), outcome.err());
    assertEquals("", outcome.out());
  }

  @Test
  void aFaultyConfigurationIsNamed() throws IOException {
    Files.writeString(directory.resolve("rowcast.yaml"), CONFIGURATION.replace(":region", "><"));
    assertEquals(2, test("admin", EVENT).code());
  }
}
