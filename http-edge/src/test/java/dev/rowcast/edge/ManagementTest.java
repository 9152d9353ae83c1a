package dev.rowcast.edge;

import static dev.rowcast.edge.EdgeFixture.ADMIN;
import static dev.rowcast.edge.EdgeFixture.ANALYST;
import static dev.rowcast.edge.EdgeFixture.CUSTOMERS;
import static dev.rowcast.edge.EdgeFixture.ORDERS;
import static dev.rowcast.edge.EdgeFixture.as;
import static dev.rowcast.edge.EdgeFixture.json;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.rowcast.policy.Identity;
import dev.rowcast.policy.Scope;
import java.math.BigDecimal;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ManagementTest {
  private static final String KEYS = "/api/ddl/keys";
  private static final String TABLES = "/api/ddl/events/tables";
  private final EdgeFixture edge = new EdgeFixture();

  @AfterEach
  void close() {
    edge.close();
  }

  @ParameterizedTest
  @CsvSource({
    "GET,/api/ddl/keys",
    "POST,/api/ddl/keys",
    "GET,/api/ddl/keys/admin",
    "DELETE,/api/ddl/keys/admin",
    "GET,/api/ddl/policy/explain",
    "POST,/api/ddl/policy/dry-run",
    "GET,/api/ddl/events/tables",
    "POST,/api/ddl/events/tables",
    "POST,/api/ddl/events/tables/public.new",
    "GET,/api/ddl/events/tables/customers",
    "DELETE,/api/ddl/events/tables/customers",
  })
  void onlyManagersManage(String method, String path) {
    assertEquals(401, edge.send(method, path, null).statusCode());
    HttpResponse<String> response = edge.send(method, path, null, as(ANALYST));
    assertEquals(403, response.statusCode());
    assertEquals("forbidden", json(response.body()).path("type").asText());
    edge.keys.ensure(
        "scoped",
        "secret-scoped",
        new Identity("s", "admin", Map.of(), new Scope(Set.of(ORDERS), Map.of())));
    assertEquals(403, edge.send(method, path, null, as("secret-scoped")).statusCode());
  }

  @Test
  void aKeyIsMadeShownOnceListedAndRevoked() {
    String body =
        "{\"name\":\"emea\",\"role\":\"analyst\",\"subject\":\"u-7\","
            + "\"claims\":{\"region\":\"emea\",\"level\":3,\"rate\":1.50,\"on\":true,\"d\":[\"a\",2]},"
            + "\"tables\":[\"customers\"],\"fields\":{\"customers\":[\"id\"]},"
            + "\"expiresUtc\":\"2027-01-01T00:00:00Z\"}";
    HttpResponse<String> created = edge.send("POST", KEYS, body, as(ADMIN));
    assertEquals(201, created.statusCode(), created.body());
    JsonNode key = json(created.body());
    String id = key.path("id").asText();
    assertEquals(KEYS + "/" + id, created.headers().firstValue("Location").orElse(""));
    assertEquals("no-store", created.headers().firstValue("Cache-Control").orElse(""));
    Identity identity =
        edge.keys.authenticate(key.path("secret").asText()).orElseThrow().identity();
    assertEquals(
        new Identity(
            "u-7",
            "analyst",
            Map.of(
                "region",
                "emea",
                "level",
                3L,
                "rate",
                new BigDecimal("1.50"),
                "on",
                true,
                "d",
                List.of("a", 2L)),
            new Scope(Set.of(CUSTOMERS), Map.of(CUSTOMERS, Set.of("id")))),
        identity);

    JsonNode shown = json(edge.get(KEYS + "/" + id, as(ADMIN)).body());
    assertEquals("emea", shown.path("name").asText());
    assertEquals("[\"public.customers\"]", shown.path("tables").toString());
    assertEquals("2027-01-01T00:00:00Z", shown.path("expiresUtc").asText());
    String list = edge.get(KEYS, as(ADMIN)).body();
    assertEquals(3, json(list).path("keys").size());
    assertFalse(list.contains("secret"), list);

    assertEquals(204, edge.send("DELETE", KEYS + "/" + id, null, as(ADMIN)).statusCode());
    assertEquals(404, edge.send("DELETE", KEYS + "/" + id, null, as(ADMIN)).statusCode());
    assertEquals(404, edge.get(KEYS + "/" + id, as(ADMIN)).statusCode());
  }

  @Test
  void aKeyShowsThatItWasUsedByPollsTokensAndOpenStreams() throws Exception {
    String path = KEYS + "/analyst";
    assertTrue(json(edge.get(path, as(ADMIN)).body()).path("lastUsedUtc").isMissingNode());
    edge.get("/api/ddl/events/changes", as(ANALYST));
    assertEquals(1, edge.keys.uses.get("analyst"));
    String token = edge.token(ANALYST, null);
    try (StreamClient client =
        new StreamClient(edge.port, "/events/stream?token=" + token).readHead()) {
      assertEquals(200, client.status);
      assertEquals(3, edge.keys.uses.get("analyst"));
    }
    assertEquals(
        "1970-01-01T00:00:03Z",
        json(edge.get(path, as(ADMIN)).body()).path("lastUsedUtc").asText());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{}|400|name",
        "{\"name\":\"\",\"role\":\"analyst\"}|400|name",
        "{\"name\":7,\"role\":\"analyst\"}|400|name",
        "{\"name\":\"k\"}|400|role",
        "{\"name\":\"k\",\"role\":\"king\"}|400|role",
        "{\"name\":\"k\",\"role\":\"analyst\",\"table\":[\"customers\"]}|400|table",
        "{\"name\":\"k\",\"role\":\"analyst\",\"tables\":\"customers\"}|400|tables",
        "{\"name\":\"k\",\"role\":\"analyst\",\"tables\":[\"nosuch\"]}|404|tables",
        "{\"name\":\"k\",\"role\":\"analyst\",\"tables\":[\"orders\"]}|400|archive.orders",
        "{\"name\":\"k\",\"role\":\"analyst\",\"fields\":{\"customers\":[\"nosuch\"]}}|400|fields.customers",
        "{\"name\":\"k\",\"role\":\"analyst\",\"fields\":{\"customers\":\"id\"}}|400|fields.customers",
        "{\"name\":\"k\",\"role\":\"analyst\",\"fields\":[]}|400|fields",
        "{\"name\":\"k\",\"role\":\"analyst\",\"claims\":{\"a\":null}}|400|claims.a",
        "{\"name\":\"k\",\"role\":\"analyst\",\"claims\":{\"a\":[[1]]}}|400|claims.a",
        "{\"name\":\"k\",\"role\":\"analyst\",\"expiresUtc\":\"tomorrow\"}|400|expiresUtc",
        "{\"name\":\"k\",\"role\":\"analyst\",\"expiresUtc\":\"2020-01-01T00:00:00Z\"}|400|expiresUtc",
        "nonsense|400|JSON",
      })
  void aKeyThatIsNotUnderstoodIsRefusedByName(String body, int status, String named) {
    HttpResponse<String> response = edge.send("POST", KEYS, body, as(ADMIN));
    assertEquals(status, response.statusCode(), response.body());
    assertTrue(json(response.body()).path("detail").asText().contains(named), response.body());
    assertEquals(2, edge.keys.list().size());
  }

  @Test
  void aManagerMakesNoAdmins() {
    edge.keys.ensure("m", "secret-m", EdgeFixture.identity("manager"));
    assertEquals(
        403,
        edge.send("POST", KEYS, "{\"name\":\"k\",\"role\":\"admin\"}", as("secret-m"))
            .statusCode());
    assertEquals(
        201,
        edge.send("POST", KEYS, "{\"name\":\"k\",\"role\":\"analyst\"}", as("secret-m"))
            .statusCode());
  }

  @Test
  void bodiesAreBoundedAndOfTheRightType() {
    String big = "{\"name\":\"" + "x".repeat(100_000) + "\"}";
    assertEquals(413, edge.send("POST", KEYS, big, as(ADMIN)).statusCode());
    HttpResponse<String> text =
        edge.send(
            "POST", KEYS, "name=k", "Authorization", "Bearer " + ADMIN, "X-Content-Type", "x");
    assertEquals(400, text.statusCode());
    var request =
        java.net.http.HttpRequest.newBuilder(
                java.net.URI.create("http://127.0.0.1:" + edge.port + KEYS))
            .header("Authorization", "Bearer " + ADMIN)
            .header("Content-Type", "text/plain")
            .POST(
                java.net.http.HttpRequest.BodyPublishers.fromPublisher(
                    java.net.http.HttpRequest.BodyPublishers.ofString("{\"name\":\"k\"}")))
            .build();
    assertEquals(
        415,
        edge.http.sendAsync(request, HttpResponse.BodyHandlers.ofString()).join().statusCode());
  }

  @Test
  void tablesAreListedCapturedAndReleased() {
    JsonNode tables = json(edge.get(TABLES, as(ADMIN)).body()).path("tables");
    assertEquals(4, tables.size());
    assertEquals(
        "{\"schema\":\"archive\",\"table\":\"orders\",\"source\":\"shop\",\"strategy\":\"native\","
            + "\"columns\":[{\"name\":\"id\",\"dataType\":\"bigint\"},"
            + "{\"name\":\"status\",\"dataType\":\"text\"}],\"key\":[\"id\"]}",
        tables.path(0).toString());

    assertEquals(201, capture("{\"schema\":\"sales\",\"table\":\"a.b\"}").statusCode());
    assertEquals(200, capture("{\"schema\":\"sales\",\"table\":\"a.b\"}").statusCode());
    assertEquals(201, capture("{\"table\":\"short\"}").statusCode());
    String byPath = TABLES + "/sales.new";
    assertEquals(201, edge.send("POST", byPath, null, as(ADMIN)).statusCode());
    assertEquals(200, edge.get(byPath, as(ADMIN)).statusCode());
    assertEquals(204, edge.send("DELETE", byPath, null, as(ADMIN)).statusCode());
    assertEquals(404, edge.send("DELETE", byPath, null, as(ADMIN)).statusCode());
    assertEquals(404, edge.get(byPath, as(ADMIN)).statusCode());
    assertEquals(400, edge.send("DELETE", TABLES + "/orders", null, as(ADMIN)).statusCode());
  }

  @ParameterizedTest
  @CsvSource({
    "customers,public,customers,200",
    "old_orders,archive,orders,200",
    "public.orders,public,orders,200",
    "unheard_of,public,unheard_of,201"
  })
  void aTableIsCapturedByTheNamesThatReadingTakes(
      String name, String schema, String table, int status) {
    HttpResponse<String> captured = edge.send("POST", TABLES + "/" + name, null, as(ADMIN));
    assertEquals(status, captured.statusCode(), captured.body());
    assertEquals(schema, json(captured.body()).path("schema").asText());
    assertEquals(table, json(captured.body()).path("table").asText());
    assertEquals(200, edge.get(TABLES + "/" + name, as(ADMIN)).statusCode());
  }

  @Test
  void aTableThatCannotBeCapturedSaysWhy() {
    HttpResponse<String> keyless = capture("{\"table\":\"keyless\"}");
    assertEquals(422, keyless.statusCode());
    assertEquals("no-usable-key", json(keyless.body()).path("type").asText());
    assertEquals(400, capture("{\"tabel\":\"x\"}").statusCode());
    assertEquals(400, capture("{\"table\":[\"x\"]}").statusCode());
    for (String name : List.of("orders", ".x", "x.", "a.b.c")) {
      HttpResponse<String> response = edge.send("POST", TABLES + "/" + name, null, as(ADMIN));
      assertEquals(400, response.statusCode(), name + " " + response.body());
    }
  }

  private HttpResponse<String> capture(String body) {
    return edge.send("POST", TABLES, body, as(ADMIN));
  }
}
