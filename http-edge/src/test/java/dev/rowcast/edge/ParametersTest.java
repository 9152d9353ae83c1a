package dev.rowcast.edge;

import static dev.rowcast.edge.EdgeFixture.ADMIN;
import static dev.rowcast.edge.EdgeFixture.as;
import static dev.rowcast.edge.EdgeFixture.json;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.net.http.HttpResponse;
import java.util.Locale;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/** The query is read as strictly as a body, by every endpoint. */
class ParametersTest {
  private final EdgeFixture edge = new EdgeFixture();

  @AfterEach
  void close() {
    edge.close();
  }

  @Test
  void everyEndpointRefusesWhatItDoesNotKnowAndNamesWhatTheDescriptionHas() {
    JsonNode openapi =
        new ObjectMapper()
            .valueToTree(
                new Load(LoadSettings.builder().build())
                    .loadFromString(edge.get("/openapi.yaml").body()));
    int asked = 0;
    for (Map.Entry<String, JsonNode> path : openapi.path("paths").properties()) {
      JsonNode described = resolved(openapi, path.getValue());
      for (String method : new String[] {"get", "post", "delete"}) {
        if (described.has(method)) {
          asked++;
          String url = path.getKey().replace("{table}", "customers").replace("{id}", "admin");
          assertRefused(
              method.toUpperCase(Locale.ROOT), url, known(openapi, described.path(method)));
        }
      }
    }
    assertEquals(21, asked);
    assertEquals(4, edge.captured.size(), "something was done all the same");
    assertEquals(2, edge.keys.list().size());
  }

  private void assertRefused(String method, String url, SortedSet<String> known) {
    String query = "?tabel=orders&cache=secret";
    boolean open = url.startsWith("/health/") || url.equals("/metrics") || url.endsWith(".yaml");
    assertEquals(open ? 400 : 401, edge.send(method, url + query, null).statusCode(), url);
    HttpResponse<String> response = edge.send(method, url + query, null, as(ADMIN));
    String where = method + " " + url + ": " + response.body();
    assertEquals(400, response.statusCode(), where);
    JsonNode problem = json(response.body());
    assertEquals("invalid-parameter", problem.path("type").asText(), where);
    assertEquals("tabel", problem.path("parameter").asText(), where);
    assertEquals(
        "unknown parameter 'tabel' (expected: "
            + (known.isEmpty() ? "no parameter" : String.join(", ", known))
            + ")",
        problem.path("detail").asText(),
        where);
  }

  private static SortedSet<String> known(JsonNode openapi, JsonNode operation) {
    SortedSet<String> names = new TreeSet<>();
    for (JsonNode parameter : operation.path("parameters")) {
      JsonNode described = resolved(openapi, parameter);
      if (described.path("in").asText().equals("query")) {
        names.add(described.path("name").asText());
      }
    }
    for (JsonNode alternative : operation.path("security")) {
      if (alternative.has("token")) {
        names.add("token");
      }
    }
    return names;
  }

  private static JsonNode resolved(JsonNode openapi, JsonNode node) {
    return node.has("$ref") ? openapi.at(node.path("$ref").asText().substring(1)) : node;
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "/api/ddl/events/changes?tables=|tables",
        "/api/ddl/events/changes?tables|tables",
        "/api/ddl/events/changes?ops=|ops",
        "/api/ddl/events/changes?tables=orders,|tables",
        "/api/ddl/events/changes?tables=%20|tables",
        "/events/stream?tables=|tables",
        "/events/stream?ops=|ops",
        "/api/ddl/events/stream?ops=insert,|ops",
        "/data/subscribe/customers?ops=|ops",
      })
  void anEmptyFilterIsNotTakenForNone(String path, String parameter) {
    HttpResponse<String> response = edge.get(path, as(ADMIN));
    assertEquals(400, response.statusCode(), response.body());
    JsonNode problem = json(response.body());
    assertEquals(parameter, problem.path("parameter").asText());
    assertTrue(
        problem
            .path("detail")
            .asText()
            .endsWith("(expected: names, separated by commas; for all, no " + parameter + ")"),
        response.body());
  }

  @ParameterizedTest
  @CsvSource({
    "/api/ddl/events/changes?cursor=abc, cursor",
    "/events/stream?since=abc, since",
    "/data/subscribe/customers?since=abc, since"
  })
  void aCursorThatIsNoneIsNamedOnce(String path, String parameter) {
    String detail = json(edge.get(path, as(ADMIN)).body()).path("detail").asText();
    assertTrue(detail.startsWith(parameter + ": 'abc' (expected: a decimal event id"), detail);
  }

  @ParameterizedTest
  @ValueSource(strings = {"/events/stream", "/api/ddl/keys", "/health/live"})
  void whatHasNoContentHasNoTypeOfIt(String path) {
    HttpResponse<String> options = edge.send("OPTIONS", path, null);
    assertEquals(204, options.statusCode());
    assertTrue(options.headers().firstValue("Content-Type").isEmpty(), options.toString());
  }

  @Test
  void whatIsDeletedHasNoTypeEither() {
    for (String path : new String[] {"/api/ddl/events/tables/customers", "/api/ddl/keys/analyst"}) {
      HttpResponse<String> deleted = edge.send("DELETE", path, null, as(ADMIN));
      assertEquals(204, deleted.statusCode(), deleted.body());
      assertFalse(
          deleted.headers().map().containsKey("content-type"), deleted.headers().toString());
    }
  }
}
