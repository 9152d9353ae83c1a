package dev.rowcast.edge;

import static dev.rowcast.edge.EdgeFixture.ADMIN;
import static dev.rowcast.edge.EdgeFixture.ORDERS;
import static dev.rowcast.edge.EdgeFixture.SECRETS;
import static dev.rowcast.edge.EdgeFixture.as;
import static dev.rowcast.edge.EdgeFixture.identity;
import static dev.rowcast.edge.EdgeFixture.json;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.rowcast.event.Op;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PolicyEndpointsTest {
  private static final String EXPLAIN = "/api/ddl/policy/explain";
  private static final String DRY_RUN = "/api/ddl/policy/dry-run";
  private final EdgeFixture edge = new EdgeFixture();

  @AfterEach
  void close() {
    edge.close();
  }

  private HttpResponse<String> explain(String secret, String query) {
    return edge.get(EXPLAIN + query, as(secret));
  }

  private HttpResponse<String> dryRun(String query, String proposal) {
    return edge.send("POST", DRY_RUN + query, proposal, as(ADMIN));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          ''                              | 400 | event
          ?event=1                        | 400 | key
          ?event=1&key=admin&as=admin     | 400 | key
          ?event=1&event=2&key=admin      | 400 | event
          ?event=latest&key=admin         | 400 | event
          ?event=-1&key=admin             | 400 | event
          ?event=x&key=admin              | 400 | event
          ?event=1&as=nobody              | 400 | as
          ?event=1&as=admin:{x            | 400 | as
          ?event=1&key=admin&feed=other   | 400 | feed
          ?event=1&key=nobody             | 404 | key
          ?event=0&key=admin              | 404 | event
          ?event=99&key=admin             | 404 | event
          ?event=1.other&key=admin        | 410 | cursor
          """)
  void whatIsWrongIsNamed(String query, int status, String named) {
    edge.insert(ORDERS, 1);
    HttpResponse<String> response = explain(ADMIN, query.replace("{", "%7B"));
    assertEquals(status, response.statusCode(), response.body());
    assertTrue(json(response.body()).path("detail").asText().contains(named), response.body());
  }

  @Test
  void anEventThatIsNoLongerRetainedIsGone() {
    for (int i = 1; i <= 4; i++) {
      edge.insert(ORDERS, i);
    }
    edge.feed.forgetBefore(2);
    for (int trimmed = 1; trimmed <= 2; trimmed++) {
      HttpResponse<String> response = explain(ADMIN, "?key=analyst&event=" + trimmed);
      assertEquals(410, response.statusCode(), response.body());
      assertEquals("cursor-expired", json(response.body()).path("type").asText());
      assertEquals("2.e1", json(response.body()).path("oldestCursor").asText());
    }
    assertEquals(200, explain(ADMIN, "?key=analyst&event=3").statusCode());
  }

  @Test
  void anEventIsExplainedForAKeyAndForARole() {
    edge.insert(ORDERS, 1);
    edge.insert(SECRETS, 2);
    JsonNode seen = json(explain(ADMIN, "?event=1&key=analyst").body());
    assertTrue(seen.path("visible").asBoolean(), seen.toString());
    assertEquals("analyst", seen.path("reader").path("role").asText());
    assertEquals(1, seen.path("seen").path("data").path("id").asInt());
    HttpResponse<String> hidden = explain(ADMIN, "?event=2&as=analyst");
    assertEquals("no-store", hidden.headers().firstValue("Cache-Control").orElse(""));
    assertFalse(json(hidden.body()).path("visible").asBoolean(), hidden.body());
    assertTrue(json(hidden.body()).path("seen").isMissingNode(), hidden.body());
  }

  @Test
  void anEventThatIsHiddenFromTheManagerIsNotThere() {
    edge.insert(SECRETS, 1);
    edge.keys.ensure("manager", "secret-manager", identity("manager"));
    HttpResponse<String> hidden = explain("secret-manager", "?event=1&key=admin");
    assertEquals(404, hidden.statusCode(), hidden.body());
    assertEquals(
        hidden.body().replace("'1'", "'9'"),
        explain("secret-manager", "?event=9&key=admin").body());
    assertEquals(200, explain(ADMIN, "?event=1&key=admin").statusCode());
  }

  @Test
  void aDryRunTellsWhoWouldGainAndLoseRows() {
    edge.insert(ORDERS, 1);
    edge.insert(SECRETS, 2);
    edge.insert(SECRETS, 3);
    edge.feed.add(SECRETS, Op.DELETE, "{\"id\":3}");
    edge.proposed.set(who -> new EdgeFixture.RoleView(identity("admin")));
    JsonNode answer = json(dryRun("", "{}").body());
    assertEquals(4, answer.path("events").asInt(), answer.toString());
    assertEquals(2, answer.path("keysJudged").asInt());
    assertTrue(answer.path("complete").asBoolean());
    JsonNode gained = answer.path("keys");
    assertEquals(1, gained.size(), answer.toString());
    assertEquals("analyst", gained.path(0).path("id").asText());
    JsonNode table = gained.path(0).path("tables").path(0);
    assertEquals("public.secrets", table.path("table").asText());
    assertEquals(1, table.path("gained").asInt());
    assertEquals("[{\"id\":2}]", table.path("gainedRows").toString());
    assertEquals(0, table.path("lost").asInt());
    JsonNode last = json(dryRun("?last=1&examples=0", "{}").body());
    assertEquals(1, last.path("events").asInt());
    assertEquals(0, last.path("keys").size(), last.toString());
  }

  @ParameterizedTest
  @CsvSource({"?last=0", "?last=x", "?last=100001", "?examples=101"})
  void limitsOfADryRunAreKept(String query) {
    assertEquals(400, dryRun(query, "{}").statusCode());
  }

  @Test
  void aProposalThatIsTooLargeIsRefused() {
    assertEquals(413, dryRun("", "#".repeat((1 << 20) + 1)).statusCode());
  }
}
