package dev.rowcast.edge;

import static dev.rowcast.edge.EdgeFixture.ADMIN;
import static dev.rowcast.edge.EdgeFixture.ANALYST;
import static dev.rowcast.edge.EdgeFixture.as;
import static dev.rowcast.edge.EdgeFixture.json;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.rowcast.config.ServerConfig;
import dev.rowcast.edge.stream.StreamLimits;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HttpTest {
  private final EdgeFixture edge =
      new EdgeFixture(
          new ServerConfig(
              "127.0.0.1",
              0,
              ServerConfig.DEFAULT.heartbeat(),
              ServerConfig.DEFAULT.tokenLifetime(),
              List.of("https://app.example"),
              1 << 20),
          StreamLimits.of(ServerConfig.DEFAULT.heartbeat()));

  @AfterEach
  void close() {
    edge.close();
  }

  /** Spellings of a path that other layers might take for another one. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "//events/stream",
        "/events//stream",
        "/%65vents/stream",
        "/events/stream/",
        "/events/./stream",
        "/x/../events/stream",
        "/events/%2e/stream",
        "/events%2fstream",
        "/events/stream;a=b",
        "/events;x/stream",
        "/events/stream%00",
        "/EVENTS/STREAM",
        "/events/stream%20",
        "/api/ddl//events/stream",
        "/data/subscribe/customers/",
        "/data/subscribe//customers",
        "/data/subscribe/%63ustomers",
        "/data/%73ubscribe/customers",
        "/data/subscribe/x%2f..%2fcustomers",
        "http://other/events/stream",
      })
  void noSpellingOfAPathOpensAStreamWithoutACredential(String path) throws IOException {
    try (StreamClient client = new StreamClient(edge.port, path).readHead()) {
      assertTrue(List.of(400, 401, 404).contains(client.status), path + " " + client.status);
      assertEquals("application/problem+json", client.headers.get("content-type"));
      assertEquals(client.status, json(client.body()).path("status").asInt());
    }
    assertEquals(0, edge.edge.openStreams());
  }

  @Test
  void anEncodedPathIsTheSameRouteAndChecksTheSame() throws IOException {
    try (StreamClient client = edge.stream(ANALYST, "/%65vents/stream")) {
      assertEquals(200, client.status);
    }
    try (StreamClient client = edge.stream(ANALYST, "/data/subscribe/%73ecrets")) {
      assertEquals(404, client.status);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "GET,/nothing,404",
    "GET,/,404",
    "PUT,/api/ddl/keys,405",
    "DELETE,/health/live,405",
    "GET,/events/stream/token,405",
    "TRACE,/health/live,405",
    "BREW,/health/live,405",
  })
  void whatThereIsNotIsAProblem(String method, String path, int status) throws IOException {
    try (StreamClient client = new StreamClient(edge.port, method, path, 0).readHead()) {
      assertEquals(status, client.status);
      assertEquals("application/problem+json", client.headers.get("content-type"));
      assertEquals(status == 405, client.headers.containsKey("allow"), client.headers.toString());
      assertNull(client.headers.get("server"));
    }
  }

  @Test
  void aNodeThatCapturesNothingSaysSo() {
    edge.captured.clear();
    edge.lag = -1;
    JsonNode body = json(edge.get("/health/ready").body());
    assertEquals("[\"archive.orders\"]", body.path("notCaptured").toString());
    assertEquals(
        "{\"id\":\"shop\",\"state\":\"streaming\",\"reason\":\"none of its tables is captured\","
            + "\"tables\":0,\"lagEvents\":0,\"lagSeconds\":0.0,"
            + "\"lastEventUtc\":\"1970-01-01T00:00:00Z\"}",
        body.path("sources").path(0).toString());
  }

  @Test
  void aPortThatIsTakenMeanwhileIsNamed() {
    EdgeParts parts = edge.parts;
    try (Edge second =
        new Edge(
            new EdgeParts(
                parts.server().withPort(edge.port),
                parts.limits(),
                parts.tables(),
                parts.feed(),
                parts.access(),
                parts.proposals(),
                parts.keys(),
                parts.catalog(),
                parts.capture(),
                parts.secret(),
                new PrometheusMeterRegistry(PrometheusConfig.DEFAULT),
                parts.ready(),
                parts.clock()))) {
      CannotListenException refused = assertThrows(CannotListenException.class, second::start);
      assertTrue(
          refused.getMessage().startsWith("port " + edge.port + " on 127.0.0.1 can't be had: "),
          refused.getMessage());
    }
  }

  @Test
  void a405SaysWhatThereIs() {
    HttpResponse<String> response = edge.send("PUT", "/api/ddl/keys", "{}", as(ADMIN));
    List<String> allowed =
        List.of(response.headers().firstValue("Allow").orElse("").split(", ", -1));
    assertTrue(allowed.containsAll(List.of("GET", "POST")), allowed.toString());
    HttpResponse<String> options = edge.send("OPTIONS", "/api/ddl/keys", null);
    assertEquals(204, options.statusCode());
    assertEquals("GET, HEAD, POST, OPTIONS", options.headers().firstValue("Allow").orElse(""));
  }

  @Test
  void malformedRequestsAreProblemsToo() throws IOException {
    for (String head :
        List.of("GET /%zz HTTP/1.1\r\nHost: x", "GET / HTTP/9.9\r\nHost: x", "rubbish")) {
      try (java.net.Socket socket =
          new java.net.Socket(java.net.InetAddress.getLoopbackAddress(), edge.port)) {
        socket.setSoTimeout(10_000);
        socket
            .getOutputStream()
            .write((head + "\r\n\r\n").getBytes(java.nio.charset.StandardCharsets.ISO_8859_1));
        String answer =
            new String(
                socket.getInputStream().readNBytes(4096),
                java.nio.charset.StandardCharsets.ISO_8859_1);
        assertTrue(answer.contains("application/problem+json"), head + " → " + answer);
        assertFalse(answer.contains("jetty"), answer);
      }
    }
  }

  @Test
  void headersThatAreTooLargeAreAProblem() throws IOException {
    try (StreamClient client =
        new StreamClient(edge.port, "/health/live", "X-Big: " + "x".repeat(40_000)).readHead()) {
      assertEquals(431, client.status);
      assertEquals("application/problem+json", client.headers.get("content-type"));
    }
  }

  @Test
  void aMalformedQueryIsAProblem() throws IOException {
    try (StreamClient client = edge.stream(ADMIN, "/events/stream?x=%zz")) {
      assertEquals(400, client.status);
      assertEquals("invalid-parameter", json(client.body()).path("type").asText());
    }
    try (StreamClient client = edge.stream(ADMIN, "/api/ddl/events/changes?cursor=%zz")) {
      assertEquals(400, client.status);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Basic c2VjcmV0LWFkbWlu",
        "Bearer",
        "Bearer ",
        "secret-admin",
        "Bearer a b",
        "Bearer wrong"
      })
  void whoIsNotKnownIsAskedForABearer(String authorization) throws IOException {
    for (String path : List.of("/events/stream", "/api/ddl/keys", "/api/ddl/events/changes")) {
      try (StreamClient client =
          new StreamClient(edge.port, path, "Authorization: " + authorization).readHead()) {
        assertEquals(401, client.status);
        assertTrue(client.headers.get("www-authenticate").startsWith("Bearer"));
        assertEquals("unauthenticated", json(client.body()).path("type").asText());
      }
    }
  }

  @Test
  void theSchemeIsReadWhateverItsCase() throws IOException {
    try (StreamClient client =
        new StreamClient(edge.port, "/events/stream", "authorization: bearer " + ADMIN)
            .readHead()) {
      assertEquals(200, client.status);
    }
  }

  @Test
  void whatWeDoWrongIsToldWithoutDetail() {
    edge.policy.set(
        identity -> {
          throw new IllegalStateException("SELECT secret FROM hidden");
        });
    for (String path : List.of("/api/ddl/events/changes", "/events/stream")) {
      HttpResponse<String> response = edge.get(path, as(ADMIN));
      assertEquals(500, response.statusCode());
      assertEquals("internal-error", json(response.body()).path("type").asText());
      assertFalse(response.body().contains("SELECT"), response.body());
    }
    assertEquals(0, edge.edge.openStreams());
  }

  @Test
  void pagesOfListedOriginsMayReadStreamsAndProblems() throws IOException {
    for (String secret : List.of(ADMIN, "wrong")) {
      try (StreamClient client =
          edge.stream(secret, "/events/stream", "Origin: https://app.example")) {
        assertEquals("https://app.example", client.headers.get("access-control-allow-origin"));
        assertEquals("true", client.headers.get("access-control-allow-credentials"));
        assertTrue(client.headers.get("vary").contains("Origin"));
      }
    }
  }

  @Test
  void pagesOfOtherOriginsMayNot() throws IOException {
    for (String origin : List.of("https://evil.example", "null", "https://app.example.evil")) {
      try (StreamClient client = edge.stream(ADMIN, "/health/live", "Origin: " + origin)) {
        assertNull(client.headers.get("access-control-allow-origin"));
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"/events/stream", "/data/subscribe/customers", "/api/ddl/keys"})
  void preflightsAreAnsweredWithoutACredential(String path) throws IOException {
    try (StreamClient client =
        new StreamClient(
                edge.port,
                "OPTIONS",
                path,
                0,
                "Origin: https://app.example",
                "Access-Control-Request-Method: GET",
                "Access-Control-Request-Headers: authorization,last-event-id")
            .readHead()) {
      assertEquals(204, client.status);
      String headers = client.headers.get("access-control-allow-headers");
      assertTrue(headers.contains("Authorization") && headers.contains("Last-Event-ID"));
    }
  }

  @Test
  void saysWhetherItLivesAndIsReadyAndHowTheSourcesFare() {
    edge.insert(EdgeFixture.ORDERS, 1);
    assertEquals("{\"status\":\"up\"}", edge.get("/health/live").body());
    HttpResponse<String> ready = edge.get("/health/ready");
    assertEquals(200, ready.statusCode());
    JsonNode body = json(ready.body());
    assertEquals("ready", body.path("status").asText());
    assertEquals("streaming", body.path("sources").path(0).path("state").asText());
    assertEquals(1.5, body.path("sources").path(0).path("lagSeconds").asDouble());
    assertEquals(4, body.path("sources").path(0).path("tables").asInt());
    assertEquals("[]", body.path("notCaptured").toString());
    assertEquals(1, body.path("log").path("position").asInt());
    assertEquals(1, body.path("log").path("latest").asInt());
    edge.ready = false;
    assertEquals(503, edge.get("/health/ready").statusCode());
    assertEquals("not-ready", json(edge.get("/health/ready").body()).path("status").asText());
  }

  @Test
  void isDescribedByItsOpenApi() {
    HttpResponse<String> response = edge.get("/openapi.yaml");
    assertEquals(200, response.statusCode());
    assertTrue(response.body().startsWith("openapi: 3.1"));
  }

  @Test
  void headAnswersLikeGetWithoutABody() {
    assertEquals(200, edge.send("HEAD", "/health/live", null).statusCode());
    assertEquals(401, edge.send("HEAD", "/api/ddl/keys", null).statusCode());
    HttpResponse<String> head = edge.send("HEAD", "/api/ddl/keys", null, as(ADMIN));
    assertEquals(200, head.statusCode());
    assertEquals("", head.body());
  }

  @Test
  void countsRequestsByTemplateAndStatus() {
    edge.get("/api/ddl/keys/some-id-or-secret", as(ADMIN));
    edge.get("/no/such/path");
    String metrics = edge.get("/metrics").body();
    assertTrue(metrics.contains("route=\"/api/ddl/keys/{id}\",status=\"404\""), metrics);
    assertFalse(metrics.contains("some-id-or-secret"));
    assertFalse(metrics.contains("/no/such/path"));
  }
}
