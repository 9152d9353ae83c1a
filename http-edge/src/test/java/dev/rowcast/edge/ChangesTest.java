package dev.rowcast.edge;

import static dev.rowcast.edge.EdgeFixture.ADMIN;
import static dev.rowcast.edge.EdgeFixture.ANALYST;
import static dev.rowcast.edge.EdgeFixture.CUSTOMERS;
import static dev.rowcast.edge.EdgeFixture.ORDERS;
import static dev.rowcast.edge.EdgeFixture.SECRETS;
import static dev.rowcast.edge.EdgeFixture.as;
import static dev.rowcast.edge.EdgeFixture.json;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ChangesTest {
  private static final String PATH = "/api/ddl/events/changes";
  private final EdgeFixture edge = new EdgeFixture();

  @AfterEach
  void close() {
    edge.close();
  }

  private JsonNode poll(String secret, String query) {
    HttpResponse<String> response = edge.get(PATH + query, as(secret));
    assertEquals(200, response.statusCode(), response.body());
    return json(response.body());
  }

  @Test
  void startsAtTheEarliestAndGoesOnWhereTheCursorSays() {
    for (int i = 1; i <= 5; i++) {
      edge.insert(ORDERS, i);
    }
    JsonNode first = poll(ADMIN, "?limit=2");
    assertEquals(2, first.path("events").size());
    assertEquals(1, first.path("events").path(0).path("id").asInt());
    assertEquals("2.e1", first.path("cursor").asText());
    assertTrue(first.path("hasMore").asBoolean());
    JsonNode second = poll(ADMIN, "?limit=100&cursor=" + first.path("cursor").asText());
    assertEquals(3, second.path("events").size());
    assertFalse(second.path("hasMore").asBoolean());
    JsonNode nothing = poll(ADMIN, "?cursor=5");
    assertEquals(0, nothing.path("events").size());
    assertEquals("5.e1", nothing.path("cursor").asText());
  }

  @Test
  void whatIsHiddenMovesTheCursorAndNothingElse() {
    edge.insert(SECRETS, 1);
    edge.insert(SECRETS, 2);
    assertEquals(
        "{\"events\":[],\"cursor\":\"2.e1\",\"hasMore\":false}", poll(ANALYST, "").toString());
  }

  @Test
  void noFilterMeansAllAndNamedOnesNarrow() {
    edge.insert(ORDERS, 1);
    edge.insert(CUSTOMERS, 2);
    assertEquals(2, poll(ADMIN, "?cursor=0").path("events").size());
    assertEquals(1, poll(ADMIN, "?tables=customers&ops=insert").path("events").size());
    assertEquals(0, poll(ADMIN, "?tables=customers&ops=update,delete").path("events").size());
  }

  @Test
  void aLongPollIsAnsweredAsSoonAsSomethingVisibleArrives() {
    CompletableFuture<JsonNode> answer =
        CompletableFuture.supplyAsync(() -> poll(ANALYST, "?cursor=latest&wait=30000"));
    await().until(() -> edge.feed.waiting() == 1);
    edge.insert(SECRETS, 1);
    edge.insert(ORDERS, 2);
    JsonNode page = answer.join();
    assertEquals(1, page.path("events").size());
    assertEquals("2.e1", page.path("cursor").asText());
  }

  @Test
  void manyLongPollsHoldNoThread() {
    var answers =
        java.util.stream.IntStream.range(0, 300)
            .mapToObj(
                i ->
                    edge.http.sendAsync(
                        java.net.http.HttpRequest.newBuilder(
                                java.net.URI.create(
                                    "http://127.0.0.1:"
                                        + edge.port
                                        + PATH
                                        + "?cursor=latest&wait=30000"))
                            .header("Authorization", "Bearer " + ADMIN)
                            .build(),
                        HttpResponse.BodyHandlers.ofString()))
            .toList();
    await().atMost(java.time.Duration.ofSeconds(60)).until(() -> edge.feed.waiting() == 300);
    assertEquals(200, edge.get("/health/live").statusCode());
    edge.insert(ORDERS, 1);
    answers.forEach(answer -> assertEquals(200, answer.join().statusCode()));
  }

  @Test
  void aClosingNodeAnswersThoseWhoWait() {
    CompletableFuture<JsonNode> answer =
        CompletableFuture.supplyAsync(() -> poll(ADMIN, "?cursor=latest&wait=30000"));
    await().until(() -> edge.feed.waiting() == 1);
    edge.close();
    assertEquals("0.e1", answer.join().path("cursor").asText());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "?cursor=abc|400|invalid-cursor",
        "?cursor=|400|invalid-cursor",
        "?cursor=9223372036854775808|400|invalid-cursor",
        "?cursor=7|410|cursor-unknown",
        "?cursor=0.zz|410|cursor-unknown",
        "?limit=0|400|invalid-parameter",
        "?limit=1001|400|invalid-parameter",
        "?limit=99999999999|400|invalid-parameter",
        "?wait=30001|400|invalid-parameter",
        "?wait=1.5|400|invalid-parameter",
        "?ops=truncate|400|invalid-parameter",
        "?tables=secrets|404|unknown-table",
        "?feed=other|400|invalid-parameter",
      })
  void whatIsWrongIsSaid(String query, int status, String type) {
    HttpResponse<String> response = edge.get(PATH + query, as(ANALYST));
    assertEquals(status, response.statusCode(), response.body());
    assertEquals(type, json(response.body()).path("type").asText());
  }

  @Test
  void aStreamTokenPollsNothing() {
    String token = edge.token(ANALYST, null);
    assertEquals(401, edge.get(PATH, as(token)).statusCode());
    assertEquals(401, edge.get(PATH + "?token=" + token).statusCode());
  }

  @Test
  void pagesAreNotStoredAndMayBeCompressed() throws IOException {
    for (int i = 0; i < 200; i++) {
      edge.insert(ORDERS, i);
    }
    try (StreamClient client = edge.stream(ADMIN, PATH + "?limit=200", "Accept-Encoding: gzip")) {
      assertEquals("no-store", client.headers.get("cache-control"));
      assertEquals("gzip", client.headers.get("content-encoding"));
    }
    try (StreamClient client = edge.stream(ADMIN, PATH + "?limit=200")) {
      assertNull(client.headers.get("content-encoding"));
    }
  }

  @Test
  void anUnreachableBrokerIsToldAsSuch() {
    edge.feed.reachable = false;
    HttpResponse<String> response = edge.get(PATH, as(ADMIN));
    assertEquals(503, response.statusCode());
    assertEquals("5", response.headers().firstValue("Retry-After").orElse(""));
  }
}
