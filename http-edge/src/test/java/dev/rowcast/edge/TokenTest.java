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

import dev.rowcast.event.Op;
import java.io.IOException;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TokenTest {
  private final EdgeFixture edge = new EdgeFixture();

  @AfterEach
  void close() {
    edge.close();
  }

  private int connect(String query, String... headers) throws IOException {
    try (StreamClient client =
        new StreamClient(edge.port, "/events/stream" + query, headers).readHead()) {
      return client.status;
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"/events/stream/token", "/api/ddl/events/stream/token"})
  void aKeyBecomesATokenForAnHour(String path) {
    HttpResponse<String> response = edge.send("POST", path, null, as(ANALYST));
    assertEquals(200, response.statusCode());
    assertEquals("no-store", response.headers().firstValue("Cache-Control").orElse(""));
    assertEquals("2026-11-30T21:00:00Z", json(response.body()).path("expiresUtc").asText());
  }

  @Test
  void connectsByQueryOrHeaderUntilItExpires() throws IOException {
    String token = edge.token(ANALYST, null);
    assertEquals(200, connect("?token=" + token));
    assertEquals(200, connect("", "Authorization: Bearer " + token));
    edge.now.updateAndGet(now -> now.plusSeconds(3599));
    assertEquals(200, connect("?token=" + token));
    edge.now.updateAndGet(now -> now.plusSeconds(1));
    assertEquals(401, connect("?token=" + token));
  }

  @Test
  void isWorthNothingOnceItsKeyIsRevoked() throws IOException {
    String token = edge.token(ANALYST, null);
    edge.keys.revoke("analyst");
    assertEquals(401, connect("?token=" + token));
  }

  @Test
  void doesNotOutliveAKeyThatExpiresSooner() {
    edge.keys.create("brief", EdgeFixture.identity("analyst"), edge.now.get().plusSeconds(90));
    String body = edge.send("POST", "/events/stream/token", "{}", as("secret-k1")).body();
    assertEquals("2026-11-30T20:01:30Z", json(body).path("expiresUtc").asText());
  }

  @Test
  void noBitOfItCanBeChanged() throws IOException {
    String token = edge.token(ANALYST, "{\"tables\":[\"customers\"]}");
    int dot = token.lastIndexOf('.');
    for (int at : new int[] {0, 4, dot - 2, dot, dot + 1, token.length() - 5}) {
      char other = token.charAt(at) == 'A' ? 'B' : 'A';
      String forged = token.substring(0, at) + other + token.substring(at + 1);
      assertEquals(401, connect("?token=" + forged), forged);
    }
    assertEquals(401, connect("?token=" + token.substring(0, dot + 1)));
    assertEquals(401, connect("?token=" + token.substring(0, dot)));
    assertEquals(401, connect("?token=st1.."));
    assertEquals(401, connect("?token="));
    assertEquals(401, connect("?token=" + ANALYST), "a key isn't taken from a URL");
  }

  @Test
  void narrowsTablesAndOps() throws IOException {
    String token = edge.token(ADMIN, "{\"tables\":[\"customers\"],\"ops\":[\"delete\"]}");
    try (StreamClient client =
        new StreamClient(edge.port, "/events/stream?token=" + token).readHead()) {
      client.readUntil(() -> !client.sse.lastId.isEmpty());
      edge.feed.add(ORDERS, Op.DELETE, "{}");
      edge.insert(CUSTOMERS, 1);
      edge.feed.add(CUSTOMERS, Op.DELETE, "{}");
      assertEquals("3.e1", client.event(0).lastId());
    }
    assertEquals(404, connect("?tables=public.orders&token=" + token));
    assertEquals(403, connect("?ops=insert&token=" + token));
    assertEquals(200, connect("?tables=customers&ops=delete&token=" + token));
    assertEquals(404, edge.get("/data/subscribe/old_orders?token=" + token).statusCode());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{\"tables\":\"customers\"}|400|tables",
        "{\"tables\":[]}|400|tables",
        "{\"tables\":[1]}|400|tables",
        "{\"ops\":[]}|400|ops",
        "{\"ops\":[\"upsert\"]}|400|ops",
        "{\"table\":[\"customers\"]}|400|table",
        "{\"tables\":[\"secrets\"]}|404|tables",
        "[]|400|object",
        "{|400|JSON",
        "{} {}|400|JSON",
        "{\"ops\":[\"insert\"],\"ops\":[\"delete\"]}|400|twice",
      })
  void aNarrowingThatIsNotUnderstoodIsRefused(String body, int status, String named) {
    HttpResponse<String> response = edge.send("POST", "/events/stream/token", body, as(ANALYST));
    assertEquals(status, response.statusCode(), response.body());
    assertTrue(json(response.body()).path("detail").asText().contains(named), response.body());
  }

  @Test
  void isMadeFromKeysOnly() {
    String token = edge.token(ANALYST, null);
    assertEquals(401, edge.send("POST", "/events/stream/token", null, as(token)).statusCode());
    assertEquals(401, edge.send("POST", "/events/stream/token", null).statusCode());
  }

  @Test
  void appearsInNoMetricAndNoError() throws IOException {
    String token = edge.token(ANALYST, null);
    connect("?token=" + token);
    String refused = edge.get("/events/stream?coalesce=x&token=" + token).body();
    String metrics = edge.get("/metrics").body();
    for (String secret : new String[] {token, ANALYST}) {
      assertFalse(refused.contains(secret));
      assertFalse(metrics.contains(secret));
    }
    assertTrue(metrics.contains("route=\"/events/stream\",status=\"200\""), metrics);
  }
}
