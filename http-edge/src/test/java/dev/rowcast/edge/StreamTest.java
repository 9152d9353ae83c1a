package dev.rowcast.edge;

import static dev.rowcast.edge.EdgeFixture.ADMIN;
import static dev.rowcast.edge.EdgeFixture.ANALYST;
import static dev.rowcast.edge.EdgeFixture.CUSTOMERS;
import static dev.rowcast.edge.EdgeFixture.ORDERS;
import static dev.rowcast.edge.EdgeFixture.SECRETS;
import static dev.rowcast.edge.EdgeFixture.json;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.rowcast.event.Op;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class StreamTest {
  private EdgeFixture edge = new EdgeFixture();

  @AfterEach
  void close() {
    edge.close();
  }

  private void restartWithHeartbeat(Duration heartbeat) {
    edge.close();
    edge = new EdgeFixture(heartbeat);
  }

  @ParameterizedTest
  @ValueSource(strings = {"/events/stream", "/api/ddl/events/stream", "/data/subscribe/customers"})
  void startsWithItsPositionAndHeadersThatNoProxyHoldsBack(String path) throws IOException {
    edge.insert(ORDERS, 1);
    try (StreamClient client = edge.stream(ADMIN, path, "Accept-Encoding: gzip, br")) {
      client.readUntil(() -> !client.sse.lastId.isEmpty());
      assertEquals(200, client.status);
      assertEquals("text/event-stream", client.headers.get("content-type"));
      assertEquals("no-store, no-transform", client.headers.get("cache-control"));
      assertEquals("no", client.headers.get("x-accel-buffering"));
      assertNull(client.headers.get("content-encoding"));
      assertEquals("1.e1", client.sse.lastId);
      assertEquals(1, client.sse.comments.size());
      assertTrue(client.sse.retry != null && Integer.parseInt(client.sse.retry) >= 1000);
      assertTrue(client.sse.events.isEmpty());
    }
  }

  @Test
  void tellsLiveChangesOneByOneUnderTheirOpsName() throws IOException {
    edge.insert(ORDERS, 7);
    try (StreamClient client = edge.stream(ADMIN, "/events/stream")) {
      client.readUntil(() -> !client.sse.lastId.isEmpty());
      edge.feed.add(ORDERS, Op.INSERT, "{\"id\":1}");
      edge.feed.add(ORDERS, Op.UPDATE, "{\"id\":1}");
      edge.feed.add(ORDERS, Op.DELETE, "{\"id\":1}");
      assertEquals("insert", client.event(0).type());
      assertEquals("update", client.event(1).type());
      SseParser.Event delete = client.event(2);
      assertEquals("delete", delete.type());
      assertEquals("4.e1", delete.lastId());
      assertEquals(4, json(delete.data()).path("id").asInt());
    }
  }

  @Test
  void replaysInBatchesAndGoesOnLive() throws IOException {
    for (int i = 0; i < 5; i++) {
      edge.insert(ORDERS, i);
    }
    try (StreamClient client = edge.stream(ADMIN, "/events/stream?since=2")) {
      JsonNode batch = json(client.event(0).data());
      assertEquals("batch", client.event(0).type());
      assertEquals("5.e1", client.event(0).lastId());
      assertEquals(3, batch.path("from").asInt());
      assertEquals(5, batch.path("to").asInt());
      assertEquals(3, batch.path("count").asInt());
      edge.insert(ORDERS, 9);
      assertEquals("insert", client.event(1).type());
      assertEquals("6.e1", client.event(1).lastId());
    }
  }

  @Test
  void aReconnectingClientsHeaderWinsOverTheSinceThatStaysInItsUrl() throws IOException {
    for (int i = 0; i < 5; i++) {
      edge.insert(ORDERS, i);
    }
    try (StreamClient client =
        edge.stream(ADMIN, "/events/stream?since=earliest", "Last-Event-ID: 4.e1")) {
      assertEquals(5, json(client.event(0).data()).path("from").asInt());
    }
  }

  @Test
  void oneTablesRowsComeUnnamed() throws IOException {
    try (StreamClient client = edge.stream(ADMIN, "/data/subscribe/customers")) {
      client.readUntil(() -> !client.sse.lastId.isEmpty());
      edge.insert(ORDERS, 1);
      edge.insert(CUSTOMERS, 2);
      assertEquals("message", client.event(0).type());
      assertEquals(
          "{\"event\":\"insert\",\"table\":\"customers\",\"row\":{\"id\":2}}",
          client.event(0).data());
    }
  }

  @Test
  void coalescedChangesComeInOneBatchPerInterval() throws IOException {
    try (StreamClient client = edge.stream(ADMIN, "/events/stream?coalesce=300")) {
      client.readUntil(() -> !client.sse.lastId.isEmpty());
      edge.insert(ORDERS, 1);
      assertEquals("batch", client.event(0).type());
      long first = System.nanoTime();
      edge.insert(ORDERS, 2);
      edge.insert(ORDERS, 3);
      JsonNode second = json(client.event(1).data());
      assertTrue(System.nanoTime() - first > 200_000_000L, "the second batch waits its time");
      assertEquals(2, second.path("count").asInt());
      assertEquals("3.e1", client.sse.lastId);
    }
  }

  @Test
  void whatIsHiddenAfterABatchDoesNotBringTheNextOneForward() throws IOException {
    try (StreamClient client = edge.stream(ANALYST, "/events/stream?coalesce=300")) {
      client.readUntil(() -> !client.sse.lastId.isEmpty());
      for (int i = 0; i < 3; i++) {
        edge.insert(ORDERS, i);
        edge.insert(SECRETS, i);
      }
      client.event(0);
      long first = System.nanoTime();
      edge.insert(SECRETS, 8);
      edge.insert(ORDERS, 9);
      client.readUntil(() -> client.sse.lastId.equals("8.e1"));
      assertTrue(System.nanoTime() - first > 200_000_000L, "the last batch waits its time");
    }
  }

  @Test
  void aCredentialThatCannotBeJudgedCarriesNoStream() throws IOException {
    restartWithHeartbeat(Duration.ofMillis(50));
    try (StreamClient client = edge.stream(ANALYST, "/events/stream")) {
      client.readUntil(() -> !client.sse.lastId.isEmpty());
      edge.policy.set(
          identity -> {
            throw new IllegalStateException("no policy");
          });
      await().until(() -> edge.edge.openStreams() == 0);
      assertTrue(edge.feed.readers.isEmpty());
    }
  }

  @Test
  void aBacklogTakesNoPausesForCoalescing() throws IOException {
    String big = "{\"id\":1,\"note\":\"" + "x".repeat(30_000) + "\"}";
    for (int i = 0; i < 20; i++) {
      edge.feed.add(ORDERS, Op.INSERT, big);
    }
    try (StreamClient client = edge.stream(ADMIN, "/events/stream?coalesce=60000&since=earliest")) {
      client.readUntil(() -> client.sse.lastId.equals("20.e1"));
      assertTrue(client.sse.events.size() > 2);
    }
  }

  @Test
  void aQuietStreamSaysThatItLivesAndHowFarItIs() throws IOException {
    restartWithHeartbeat(Duration.ofMillis(50));
    try (StreamClient client = edge.stream(ANALYST, "/events/stream")) {
      client.readUntil(() -> client.sse.comments.contains("heartbeat"));
      assertEquals("0.e1", client.sse.lastId);
      edge.insert(SECRETS, 1);
      client.readUntil(() -> client.sse.lastId.equals("1.e1"));
      assertTrue(client.sse.events.isEmpty(), "what moved the position isn't shown");
    }
  }

  @Test
  void aReaderThatCannotGoOnIsToldOfTheGapAndKeepsItsLastId() throws IOException {
    edge.insert(ORDERS, 1);
    try (StreamClient client = edge.stream(ADMIN, "/events/stream?tables=customers")) {
      client.readUntil(() -> !client.sse.lastId.isEmpty());
      edge.feed.forgetBefore(500);
      client.readToEnd();
      SseParser.Event gap = client.sse.events.get(0);
      assertEquals("gap", gap.type());
      assertEquals("1.e1", gap.lastId());
      assertEquals(
          "{\"reason\":\"retention overtook \\\"the\\\" reader\",\"oldestCursor\":\"500.e1\","
              + "\"latestCursor\":\"1.e1\"}",
          json(gap.data()).toString());
    }
  }

  @Test
  void aRevokedKeyEndsItsStreamsWithinOneHeartbeat() throws IOException {
    restartWithHeartbeat(Duration.ofMillis(100));
    try (StreamClient client = edge.stream(ANALYST, "/events/stream")) {
      client.readUntil(() -> !client.sse.lastId.isEmpty());
      edge.keys.revoke("analyst");
      assertEnded(client, "revoked");
    }
  }

  @Test
  void aKeyWhoseRoleChangedEndsItsStreams() throws IOException {
    restartWithHeartbeat(Duration.ofMillis(100));
    try (StreamClient client = edge.stream(ANALYST, "/events/stream")) {
      client.readUntil(() -> !client.sse.lastId.isEmpty());
      edge.keys.change(ANALYST, EdgeFixture.identity("admin"));
      assertEnded(client, "role-changed");
    }
  }

  @Test
  void aPolicyThatShowsSomethingElseEndsTheStreamsItConcerns() throws IOException {
    restartWithHeartbeat(Duration.ofMillis(100));
    try (StreamClient client = edge.stream(ANALYST, "/events/stream")) {
      client.readUntil(() -> !client.sse.lastId.isEmpty());
      edge.policy.set(identity -> new EdgeFixture.RoleView(EdgeFixture.identity("nobody")));
      assertEnded(client, "policy-changed");
    }
  }

  @Test
  void anExpiredKeyEndsItsStreams() throws IOException {
    restartWithHeartbeat(Duration.ofMillis(100));
    edge.keys.create("brief", EdgeFixture.identity("analyst"), edge.now.get().plusSeconds(60));
    try (StreamClient client = edge.stream("secret-k1", "/events/stream")) {
      client.readUntil(() -> !client.sse.lastId.isEmpty());
      edge.now.updateAndGet(now -> now.plusSeconds(61));
      assertEnded(client, "expired");
    }
  }

  private static void assertEnded(StreamClient client, String reason) throws IOException {
    client.readToEnd();
    SseParser.Event end = client.sse.events.get(0);
    assertEquals("end", end.type());
    assertEquals("{\"reason\":\"" + reason + "\"}", end.data());
    assertTrue(client.ended);
  }

  @Test
  void aStreamOutlivesTheTokenItWasOpenedWith() throws IOException {
    restartWithHeartbeat(Duration.ofMillis(50));
    String token = edge.token(ANALYST, null);
    try (StreamClient client =
        new StreamClient(edge.port, "/events/stream?token=" + token).readHead()) {
      client.readUntil(() -> !client.sse.lastId.isEmpty());
      edge.now.updateAndGet(now -> now.plusSeconds(7200));
      int beats = client.sse.comments.size();
      client.readUntil(() -> client.sse.comments.size() > beats + 4);
      assertFalse(client.ended);
      assertEquals(401, edge.get("/events/stream?token=" + token).statusCode());
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "since=abc|400|invalid-cursor|since",
        "since=-1|400|invalid-cursor|since",
        "since=|400|invalid-cursor|since",
        "since=99999999999999999999|400|invalid-cursor|since",
        "since=1&since=2|400|invalid-parameter|since",
        "since=500|410|cursor-unknown|",
        "since=1.other|410|cursor-unknown|",
        "coalesce=60001|400|invalid-parameter|coalesce",
        "coalesce=-1|400|invalid-parameter|coalesce",
        "coalesce=x|400|invalid-parameter|coalesce",
        "ops=insert,upsert|400|invalid-parameter|ops",
        "numbers=float|400|invalid-parameter|numbers",
        "leaves=yes|400|invalid-parameter|leaves",
        "feed=other|400|invalid-parameter|feed",
        "tables=nothing|404|unknown-table|tables",
        "tables=public.secrets|404|unknown-table|tables",
        "tables=orders|400|invalid-parameter|tables",
        "tables=customers,,orders|400|invalid-parameter|tables",
      })
  void whatIsWrongIsSaidBeforeTheStream(String query, int status, String type, String parameter) {
    HttpResponse<String> response = edge.get("/events/stream?" + query, EdgeFixture.as(ANALYST));
    assertEquals(status, response.statusCode(), response.body());
    assertEquals(
        "application/problem+json", response.headers().firstValue("Content-Type").orElse(""));
    JsonNode problem = json(response.body());
    assertEquals(type, problem.path("type").asText());
    assertEquals(status, problem.path("status").asInt());
    if (parameter != null) {
      assertEquals(parameter, problem.path("parameter").asText());
      assertTrue(problem.path("detail").asText().contains("expected: "), response.body());
    }
    assertEquals(0, edge.edge.openStreams());
    assertTrue(edge.feed.readers.isEmpty());
  }

  @Test
  void aHiddenTableIsAnsweredLikeOneThatThereIsNot() {
    String hidden = edge.get("/events/stream?tables=secrets", EdgeFixture.as(ANALYST)).body();
    String absent = edge.get("/events/stream?tables=nosuch1", EdgeFixture.as(ANALYST)).body();
    assertEquals(absent.replace("nosuch1", "secrets"), hidden);
  }

  @Test
  void aTableMayBeNamedByItsConfiguredId() throws IOException {
    try (StreamClient client = edge.stream(ADMIN, "/data/subscribe/old_orders")) {
      client.readUntil(() -> !client.sse.lastId.isEmpty());
      edge.insert(ORDERS, 1);
      edge.insert(EdgeFixture.ARCHIVED, 2);
      assertEquals("2.e1", client.event(0).lastId());
    }
  }

  @Test
  void expiredCursorsAreGoneWithWhatIsRetained() {
    for (int i = 0; i < 10; i++) {
      edge.insert(ORDERS, i);
    }
    edge.feed.forgetBefore(10);
    HttpResponse<String> response = edge.get("/events/stream?since=3", EdgeFixture.as(ADMIN));
    assertEquals(410, response.statusCode());
    assertEquals("cursor-expired", json(response.body()).path("type").asText());
    assertEquals("10.e1", json(response.body()).path("oldestCursor").asText());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "text/event-stream|200",
        "text/*|200",
        "*/*;q=0.1|200",
        "application/json, text/event-stream;q=0.5|200",
        "application/json|406",
        "text/event-stream;q=0, */*|406",
      })
  void answersOnlyWhoTakesEventStreams(String accept, int status) throws IOException {
    try (StreamClient client = edge.stream(ADMIN, "/events/stream", "Accept: " + accept)) {
      assertEquals(status, client.status);
    }
  }

  @Test
  void headChecksAllAndOpensNothing() {
    assertEquals(401, edge.send("HEAD", "/events/stream", null).statusCode());
    HttpResponse<String> head =
        edge.send("HEAD", "/events/stream?since=0", null, EdgeFixture.as(ADMIN));
    assertEquals(200, head.statusCode());
    assertEquals("text/event-stream", head.headers().firstValue("Content-Type").orElse(""));
    assertEquals(0, edge.edge.openStreams());
  }

  @Test
  void otherMethodsAreToldWhichThereAre() {
    HttpResponse<String> response =
        edge.send("POST", "/events/stream", "{}", EdgeFixture.as(ADMIN));
    assertEquals(405, response.statusCode());
    assertEquals("GET, HEAD, OPTIONS", response.headers().firstValue("Allow").orElse(""));
  }
}
