package dev.rowcast.standalone;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.rowcast.policy.Identity;
import dev.rowcast.policy.Scope;
import java.io.IOException;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;

/** Explanations and dry runs over real HTTP, Kafka and PostgreSQL. */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class PolicyIT {
  private static final Duration LIMIT = Duration.ofSeconds(30);
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final HttpClient HTTP = HttpClient.newHttpClient();
  private static final String SALARY = "70707";
  private static final String NOTE = "hush-hush";
  private static final String MEMBERSHIP =
      "EXISTS (SELECT 1 FROM members m WHERE m.region = orders.region AND m.usr = :sub)";

  private static NodeFixture node;

  /** The events' ids: of orders 1 and 2, and of the delete of 3. */
  private static List<Long> ids;

  @BeforeAll
  static void start() throws Exception {
    node =
        NodeFixture.start(
            List.of(
                "CREATE TABLE orders (id int PRIMARY KEY, region text, salary int, note text)",
                "CREATE TABLE members (usr text PRIMARY KEY, region text)"),
            """
            tables:
              - id: orders
                source_id: "${env:SOURCE}"
                columns:
                  - {name: salary, visible_to: [analyst]}
                  - {name: note, mask: {type: constant, value: masked, unmasked_to: [analyst]}}
              - {id: members, source_id: "${env:SOURCE}"}
            roles: [{id: analyst}, {id: guest}, {id: lead, inherits: [analyst]}, {id: member}]
            rls_rules:
              - {table_id: orders, role_id: analyst, filter: "region = :region AND NOT (salary < 100 OR note IS NULL)"}
              - {table_id: orders, role_id: member, filter: "%s"}
            """
                .formatted(MEMBERSHIP),
            Map.of(
                "root", new Identity("root", "admin", Map.of(), Scope.ALL),
                "emea", new Identity("e", "analyst", Map.of("region", "emea"), Scope.ALL),
                "visitor", new Identity("v", "guest", Map.of(), Scope.ALL)));
    try (Connection connection = node.connect();
        Statement statement = connection.createStatement()) {
      statement.execute("INSERT INTO members VALUES ('ada', 'apac')");
      statement.execute("INSERT INTO orders VALUES (1, 'emea', " + SALARY + ", '" + NOTE + "')");
      statement.execute("INSERT INTO orders VALUES (2, 'apac', " + SALARY + ", NULL)");
      statement.execute("INSERT INTO orders VALUES (3, 'emea', 1, 'x')");
      statement.execute("DELETE FROM orders WHERE id = 3");
    }
    await().atMost(LIMIT).until(() -> orders().size() == 4);
    JsonNode orders = orders();
    ids = new ArrayList<>();
    for (int i : List.of(0, 1, 3)) {
      ids.add(orders.path(i).path("id").asLong());
    }
  }

  @AfterAll
  static void stop() {
    node.close();
  }

  private static JsonNode orders() throws IOException {
    return JSON.readTree(get("api/ddl/events/changes?tables=orders", "root").body()).path("events");
  }

  private static HttpResponse<String> get(String path, String key) {
    return send(HttpRequest.newBuilder(node.url().resolve(path)).GET(), key);
  }

  private static HttpResponse<String> send(HttpRequest.Builder request, String key) {
    try {
      return HTTP.send(
          request.timeout(LIMIT).header("Authorization", "Bearer " + key).build(),
          HttpResponse.BodyHandlers.ofString());
    } catch (IOException | InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private static HttpResponse<String> explain(long event, String who) {
    return get("api/ddl/policy/explain?event=" + event + "&" + who, "root");
  }

  /** The answer, which never shows what the administrator doesn't see. */
  private static JsonNode explained(long event, String who) throws IOException {
    HttpResponse<String> response = explain(event, who);
    assertEquals(200, response.statusCode(), response.body());
    assertFalse(response.body().contains(SALARY), response.body());
    assertFalse(response.body().contains(NOTE), response.body());
    return JSON.readTree(response.body());
  }

  private static String as(String identity) {
    return "as=" + URLEncoder.encode(identity, UTF_8);
  }

  private static String key(String name) throws IOException {
    for (JsonNode key : JSON.readTree(get("api/ddl/keys", "root").body()).path("keys")) {
      if (key.path("name").asText().equals(name)) {
        return key.path("id").asText();
      }
    }
    throw new AssertionError("no key " + name);
  }

  private static HttpResponse<String> dryRun(String proposal, String key) {
    return send(
        HttpRequest.newBuilder(node.url().resolve("api/ddl/policy/dry-run?last=100"))
            .POST(HttpRequest.BodyPublishers.ofString(proposal)),
        key);
  }

  @Test
  void eachPartOfARuleIsExplainedAndWhatTheAdministratorDoesNotSeeIsNotShown() throws Exception {
    JsonNode answer = explained(ids.get(0), "key=" + key("emea"));
    assertTrue(answer.path("visible").asBoolean(), answer.toString());
    assertEquals("by-rules", answer.path("access").asText());
    JsonNode rule = answer.path("rules").path(0);
    assertEquals("true", rule.path("outcome").asText());
    assertEquals("region = :region", rule.path("parts").path(0).path("filter").asText());
    assertEquals("true", rule.path("parts").path(0).path("outcome").asText());
    JsonNode not = rule.path("parts").path(1);
    assertEquals("true", not.path("outcome").asText());
    assertEquals("false", not.path("parts").path(0).path("parts").path(0).path("outcome").asText());
    assertEquals("{\"region\":\"emea\"}", rule.path("claims").toString());
    assertEquals("{\"note\":\"masked\",\"region\":\"emea\"}", rule.path("values").toString());
    assertEquals("[\"salary\"]", rule.path("withheld").toString());
    assertEquals("[\"salary\",\"note\"]", answer.path("redacted").toString());
    assertEquals("{\"id\":1,\"region\":\"emea\"}", answer.path("seen").path("data").toString());
    assertEquals(
        "{\"id\":1,\"region\":\"emea\",\"note\":\"masked\"}",
        answer.path("event").path("data").toString());
  }

  @Test
  void whyARowIsHiddenIsExplainedForAnyRoleAndClaims() throws Exception {
    JsonNode apac = explained(ids.get(1), as("analyst:{\"region\":\"apac\"}"));
    assertFalse(apac.path("visible").asBoolean());
    JsonNode parts = apac.path("rules").path(0).path("parts");
    assertEquals("true", parts.path(0).path("outcome").asText());
    assertEquals("false", parts.path(1).path("outcome").asText(), "its note is NULL");

    JsonNode nobody = explained(ids.get(0), as("lead")).path("rules").path(0);
    assertEquals("analyst", nobody.path("role").asText());
    assertTrue(nobody.path("inherited").asBoolean());
    assertEquals("claim-missing", nobody.path("outcome").asText());
    assertEquals("claim 'region' is missing", nobody.path("problem").asText());

    JsonNode guest = explained(ids.get(0), "key=" + key("visitor"));
    assertEquals("no-rule", guest.path("access").asText());
    assertFalse(guest.path("visible").asBoolean());
    assertTrue(explained(ids.get(1), as("member:{\"sub\":\"ada\"}")).path("visible").asBoolean());
    assertFalse(explained(ids.get(0), as("member:{\"sub\":\"ada\"}")).path("visible").asBoolean());

    JsonNode gone = explained(ids.get(2), "key=" + key("emea"));
    assertTrue(gone.path("visible").asBoolean());
    assertEquals("{\"id\":3}", gone.path("seen").path("rowKey").toString());
  }

  @Test
  void onlyAdministratorsAskAndWhatIsWrongIsSaid() throws Exception {
    long event = ids.get(0);
    assertEquals(
        403, get("api/ddl/policy/explain?event=" + event + "&as=admin", "emea").statusCode());
    assertEquals(
        401, get("api/ddl/policy/explain?event=" + event + "&as=admin", "who").statusCode());
    assertEquals(404, explain(event + 1_000_000, "as=admin").statusCode());
    assertEquals(404, explain(event, "key=nobody").statusCode());
    assertEquals(400, explain(event, "as=stranger").statusCode());
    assertEquals(400, explain(event, "").statusCode());
    assertEquals(403, dryRun("{}", "emea").statusCode());
  }

  @Test
  void aDryRunTellsWhichKeysWouldGainAndLoseRowsAndChangesNothing() throws Exception {
    String proposal =
        """
        rls_rules:
          - {table_id: orders, role_id: analyst, filter: "region = 'apac'"}
          - {table_id: orders, role_id: guest, filter: "id = 1"}
        """;
    HttpResponse<String> response = dryRun(proposal, "root");
    assertEquals(200, response.statusCode(), response.body());
    JsonNode answer = JSON.readTree(response.body());
    assertTrue(answer.path("complete").asBoolean());
    ObjectNode byName = JSON.createObjectNode();
    for (JsonNode key : answer.path("keys")) {
      byName.set(key.path("name").asText(), key.path("tables").path(0));
    }
    assertEquals(2, byName.size(), response.body());
    assertEquals("[{\"id\":2}]", byName.path("emea").path("gainedRows").toString());
    assertEquals("[{\"id\":1}]", byName.path("emea").path("lostRows").toString());
    assertEquals("[{\"id\":1}]", byName.path("visitor").path("gainedRows").toString());
    assertEquals(0, byName.path("visitor").path("lost").asInt());
    assertTrue(explained(ids.get(0), "key=" + key("emea")).path("visible").asBoolean());
  }

  @Test
  void aProposalThatIsFaultyOrProbesHiddenColumnsIsRefused() {
    HttpResponse<String> faulty =
        dryRun("rls_rules: [{table_id: nowhere, role_id: analyst, filter: 'id = 1'}]", "root");
    assertEquals(400, faulty.statusCode(), faulty.body());
    assertTrue(faulty.body().contains("nowhere"), faulty.body());
    for (String filter : List.of("id >< 1", "nothing = 1", "region = 5")) {
      String rule = "rls_rules: [{table_id: orders, role_id: analyst, filter: '" + filter + "'}]";
      assertEquals(400, dryRun(rule, "root").statusCode(), filter);
    }
    for (String filter : List.of("salary > 50000", "note = 'x'")) {
      String rule = "rls_rules: [{table_id: orders, role_id: guest, filter: \"" + filter + "\"}]";
      HttpResponse<String> probing = dryRun(rule, "root");
      assertEquals(403, probing.statusCode(), probing.body());
    }
  }

  @Test
  @Order(Integer.MAX_VALUE)
  void anEventThatIsNoLongerRetainedIsGone() throws Exception {
    node.dropEvents(ids.get(0));
    node.restartNode();
    HttpResponse<String> gone = explain(ids.get(0), "as=admin");
    assertEquals(410, gone.statusCode(), gone.body());
    assertEquals("cursor-expired", JSON.readTree(gone.body()).path("type").asText());
    assertEquals(200, explain(ids.get(1), "as=admin").statusCode());
  }
}
