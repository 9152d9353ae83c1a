package dev.rowcast.edge;

import static dev.rowcast.edge.EdgeFixture.ADMIN;
import static dev.rowcast.edge.EdgeFixture.CUSTOMERS;
import static dev.rowcast.edge.EdgeFixture.ORDERS;
import static dev.rowcast.edge.EdgeFixture.json;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rowcast.config.ServerConfig;
import dev.rowcast.edge.stream.StreamLimits;
import dev.rowcast.event.Op;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Clients that vanish, stall or come in crowds. */
class DeadClientTest {
  private static final Duration HEARTBEAT = Duration.ofMillis(100);
  private EdgeFixture edge = new EdgeFixture(HEARTBEAT);

  @AfterEach
  void close() {
    edge.close();
  }

  private StreamClient started() throws IOException {
    StreamClient client = edge.stream(ADMIN, "/events/stream");
    client.readUntil(() -> !client.sse.lastId.isEmpty());
    return client;
  }

  private void awaitNoTrace() {
    await()
        .atMost(Duration.ofSeconds(20))
        .until(() -> edge.edge.openStreams() == 0 && edge.feed.readers.isEmpty());
  }

  @Test
  void aClientThatResetsIsGoneWithinTwoHeartbeats() throws IOException {
    StreamClient client = started();
    assertEquals(1, edge.edge.openStreams());
    client.reset();
    awaitNoTrace();
  }

  @Test
  void aClientThatHangsUpIsGoneWithinTwoHeartbeats() throws IOException {
    started().close();
    awaitNoTrace();
    assertTrue(edge.get("/metrics").body().contains("reason=\"client-gone\""));
  }

  @Test
  void aClientThatNeverReadsIsDroppedOnceAWriteMakesNoProgress() throws IOException {
    try (StreamClient client =
        new StreamClient(
            edge.port, "GET", "/events/stream", 4096, "Authorization: Bearer " + ADMIN)) {
      client.readHead();
      String big = "{\"x\":\"" + "x".repeat(1 << 20) + "\"}";
      for (int i = 0; i < 16; i++) {
        edge.feed.add(ORDERS, Op.INSERT, big);
      }
      awaitNoTrace();
      assertTrue(edge.get("/metrics").body().contains("reason=\"stalled\""));
    }
  }

  @Test
  void aSlowClientThatReadsGetsEverything() throws IOException {
    try (StreamClient slow =
            new StreamClient(
                edge.port, "GET", "/events/stream", 4096, "Authorization: Bearer " + ADMIN);
        StreamClient other = started()) {
      slow.readHead();
      String big = "{\"x\":\"" + "x".repeat(1 << 20) + "\"}";
      for (int i = 0; i < 10; i++) {
        edge.feed.add(ORDERS, Op.INSERT, big);
      }
      other.event(9); // nobody waits for the slow one
      slow.event(9);
      assertEquals("10.e1", slow.sse.lastId);
    }
  }

  @Test
  void heartbeatsNeverLandInsideAFrame() throws IOException {
    edge.close();
    edge = new EdgeFixture(Duration.ofMillis(1));
    String big = "{\"x\":\"" + "0123456789".repeat(100_000) + "\"}";
    try (StreamClient client = started()) {
      for (int i = 0; i < 20; i++) {
        edge.feed.add(ORDERS, Op.INSERT, big);
        int beats = client.sse.comments.size();
        assertEquals(big, json(client.event(i).data()).path("data").toString());
        client.readUntil(() -> client.sse.comments.size() > beats + 2);
      }
      assertTrue(client.sse.comments.stream().skip(1).allMatch("heartbeat"::equals));
    }
  }

  @Test
  void aHundredConnectionsAfterAnotherLeaveNoTrace() throws IOException {
    for (int i = 0; i < 100; i++) {
      StreamClient client = edge.stream(ADMIN, "/events/stream");
      if (i % 2 == 0) {
        client.reset();
      } else {
        client.close();
      }
    }
    awaitNoTrace();
  }

  @Test
  void aThousandClientsAllGetAnEvent() throws IOException {
    edge.close();
    edge = new EdgeFixture();
    List<StreamClient> clients = new ArrayList<>();
    try {
      for (int i = 0; i < 1000; i++) {
        clients.add(
            new StreamClient(edge.port, "/events/stream", "Authorization: Bearer " + ADMIN));
      }
      for (StreamClient client : clients) {
        client.readHead().readUntil(() -> !client.sse.lastId.isEmpty());
      }
      assertEquals(1000, edge.edge.openStreams());
      edge.insert(ORDERS, 1);
      for (StreamClient client : clients) {
        assertEquals("1.e1", client.event(0).lastId());
      }
      long begun = System.nanoTime();
      edge.close();
      assertTrue(System.nanoTime() - begun < 10_000_000_000L, "closes within ten seconds");
      long different =
          clients.stream()
              .map(
                  client -> {
                    try {
                      client.readToEnd();
                    } catch (IOException e) {
                      throw new AssertionError(e);
                    }
                    return client.sse.retry;
                  })
              .distinct()
              .count();
      assertTrue(different > 100, "they come back at different times");
      assertEquals(0, edge.edge.openStreams());
    } finally {
      for (StreamClient client : clients) {
        client.close();
      }
    }
  }

  @Test
  void closingWaitsForNoStalledClient() throws IOException {
    try (StreamClient client =
        new StreamClient(
            edge.port, "GET", "/events/stream", 4096, "Authorization: Bearer " + ADMIN)) {
      client.readHead();
      edge.feed.add(ORDERS, Op.INSERT, "{\"x\":\"" + "x".repeat(16 << 20) + "\"}");
      long begun = System.nanoTime();
      edge.close();
      assertTrue(System.nanoTime() - begun < 10_000_000_000L);
      assertEquals(0, edge.edge.openStreams());
      assertTrue(edge.feed.readers.isEmpty());
    }
  }

  @Test
  void aKeyWithTooManyStreamsIsRefusedAndANodeWithTooManySaysComeBack() throws IOException {
    edge.close();
    edge = new EdgeFixture(ServerConfig.DEFAULT, new StreamLimits(3, 2, 1 << 16, HEARTBEAT));
    try (StreamClient first = started();
        StreamClient second = started()) {
      try (StreamClient third = edge.stream(ADMIN, "/events/stream")) {
        assertEquals(429, third.status);
        assertFalse(third.headers.get("retry-after").isEmpty());
      }
      try (StreamClient other = edge.stream(EdgeFixture.ANALYST, "/events/stream")) {
        assertEquals(200, other.status);
        try (StreamClient overload = edge.stream(EdgeFixture.ANALYST, "/events/stream")) {
          assertEquals(200, overload.status);
          String body = overload.body();
          assertTrue(body.contains("retry: "), body);
          assertFalse(body.contains("id:"), body);
        }
        first.reset();
        await().until(() -> edge.edge.openStreams() == 2);
        try (StreamClient again = edge.stream(ADMIN, "/events/stream")) {
          assertEquals(200, again.status);
        }
      }
      assertFalse(second.ended);
    }
  }

  @Test
  void twoReadersOfDifferentTablesShareNothing() throws IOException {
    try (StreamClient orders = edge.stream(ADMIN, "/events/stream?tables=public.orders");
        StreamClient customers = edge.stream(ADMIN, "/events/stream?tables=customers")) {
      edge.insert(ORDERS, 1);
      edge.insert(CUSTOMERS, 2);
      assertEquals("1.e1", orders.event(0).lastId());
      assertEquals("2.e1", customers.event(0).lastId());
    }
  }
}
