package dev.rowcast.standalone.demo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.rowcast.standalone.demo.DemoClient.Answer;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The demo as the contract's §10 promises it, by somebody who has only {@code demo.json}. */
@Timeout(value = 3, unit = TimeUnit.MINUTES)
class DemoIT {
  @TempDir private static Path directory;
  private static Demo demo;
  private static DemoClient client;

  @BeforeAll
  static void start() throws Exception {
    demo = Demo.start(directory, 0, 0, reason -> {});
    client = new DemoClient(directory);
  }

  @AfterAll
  static void stop() {
    demo.close();
  }

  @Test
  void describesItself() {
    JsonNode json = client.description();
    for (String member : List.of("url", "jdbcUrl", "bootstrapServers", "connectUrl")) {
      assertTrue(json.path(member).isTextual(), member);
    }
    for (String key :
        List.of("admin", "emea", "apac", "masked", "fields", "orders-only", "ada", "bob")) {
      assertTrue(json.path("keys").path(key).isTextual(), key);
    }
  }

  @Test
  void capturesEveryTable() throws Exception {
    JsonNode tables = client.get("/api/ddl/events/tables", "admin").json().get("tables");
    List<String> names = new ArrayList<>();
    tables.forEach(table -> names.add(table.get("table").asText()));
    assertTrue(
        names.containsAll(
            List.of("customers", "orders", "projects", "memberships", "tasks", "stock")),
        names.toString());
  }

  @Test
  void readersSeeOnlyTheirRegion() throws Exception {
    String before = client.latest();
    client.sql(
        "UPDATE orders SET note = 'a' WHERE region = 'apac'",
        "UPDATE orders SET note = 'b' WHERE region = 'emea'");
    for (JsonNode event : client.changesAfter(before, "emea", "orders")) {
      assertEquals("emea", event.at("/data/region").asText());
    }
    List<String> seen = new ArrayList<>();
    client
        .changesAfter(before, "apac", "orders")
        .forEach(e -> seen.add(e.at("/data/note").asText()));
    assertFalse(seen.isEmpty());
    assertEquals(List.of("a"), seen.stream().distinct().toList());
  }

  @Test
  void aMaskedColumnIsMaskedAndAFieldKeyGetsItsFieldsOnly() throws Exception {
    String before = client.latest();
    client.sql(
        "UPDATE customers SET email = 'zoe@example.org' WHERE id = 2",
        "UPDATE orders SET status = 'lost', amount = 1.50 WHERE id = 2");
    JsonNode masked = client.changesAfter(before, "masked", "customers").get(0);
    assertEquals("z***@example.org", masked.at("/data/email").asText());
    JsonNode fields = client.changesAfter(before, "fields", "").get(0);
    assertEquals("{\"id\":2,\"status\":\"lost\"}", fields.get("data").toString());
    assertEquals("{\"id\":2}", fields.get("rowKey").toString());
    assertEquals("[\"status\"]", fields.get("changedColumns").toString());
    assertTrue(fields.path("actor").isMissingNode() || fields.path("actor").isNull());
    assertFalse(fields.toString().contains("amount"));
  }

  @Test
  void aScopedKeyDoesNotKnowOtherTables() throws Exception {
    assertProblem(
        404,
        "unknown-table",
        client.get("/api/ddl/events/changes?tables=customers", "orders-only"));
    assertEquals(200, client.get("/api/ddl/events/changes?tables=orders", "orders-only").status());
  }

  @Test
  void membersSeeTheirOwnMemberships() throws Exception {
    String before = client.latest();
    client.sql("UPDATE memberships SET user_id = user_id WHERE user_id IN ('ada', 'bob')");
    for (JsonNode event : client.changesAfter(before, "ada", "memberships")) {
      assertEquals("ada", event.at("/data/user_id").asText());
    }
  }

  @Test
  void membersSeeTheTasksOfTheirProjectsFromTheMembershipOn() throws Exception {
    client.sql("INSERT INTO projects (name) VALUES ('secret')");
    client.sql("DELETE FROM memberships WHERE project_id = (SELECT max(id) FROM projects)");
    String before = client.latest();
    String task = "INSERT INTO tasks (project_id, title) SELECT max(id), '%s' FROM projects";
    client.sql(task.formatted("before"));
    client.sql("INSERT INTO memberships (user_id, project_id) SELECT 'ada', max(id) FROM projects");
    client.sql(task.formatted("as a member"));
    List<String> ada = new ArrayList<>();
    String at = before;
    // the task before may be seen, too, once the membership is known: and be a page of its own
    for (int pages = 0; pages < 3 && !ada.contains("as a member"); pages++) {
      JsonNode page =
          client.get("/api/ddl/events/changes?wait=10000&tables=tasks&cursor=" + at, "ada").json();
      page.get("events").forEach(event -> ada.add(event.at("/data/title").asText()));
      at = page.get("cursor").asText();
    }
    assertTrue(ada.contains("as a member"), ada.toString());
    for (JsonNode event : client.changesAfter(before, "bob", "tasks")) {
      assertFalse(event.at("/data/title").asText().equals("as a member"), event.toString());
    }
  }

  @Test
  void whatIsWrongIsSaidByName() throws Exception {
    assertProblem(401, "unauthenticated", client.get("/api/ddl/events/changes", null));
    assertProblem(
        404, "unknown-table", client.get("/api/ddl/events/changes?tables=nowhere", "admin"));
    assertProblem(
        400, "invalid-parameter", client.get("/api/ddl/events/changes?ops=upsert", "admin"));
    assertProblem(400, "invalid-parameter", client.get("/api/ddl/events/changes?limit=0", "admin"));
    assertProblem(400, "invalid-cursor", client.get("/api/ddl/events/changes?cursor=-1", "admin"));
    assertProblem(400, "invalid-cursor", client.get("/events/stream?since=now", "admin"));
    assertProblem(
        410, "cursor-unknown", client.get("/api/ddl/events/changes?cursor=1.other", "admin"));
    assertProblem(410, "cursor-unknown", client.get("/events/stream?since=99999999999", "admin"));
    assertProblem(403, "forbidden", client.get("/api/ddl/keys", "emea"));
    assertProblem(
        404,
        "unknown-table",
        client.send(
            "POST",
            "/api/ddl/events/tables",
            "admin",
            "{\"schema\":\"public\",\"table\":\"nowhere\"}"));
  }

  private static void assertProblem(int status, String type, Answer answer) {
    assertEquals(status, answer.status(), answer.text());
    assertTrue(answer.contentType().startsWith("application/problem+json"), answer.contentType());
    assertEquals(type, answer.json().get("type").asText());
    assertEquals(status, answer.json().get("status").asInt());
    assertFalse(answer.json().get("detail").asText().isEmpty());
  }

  @Test
  void aTableIsCapturedAndLetGoWhileEverythingRuns() throws Exception {
    client.sql(
        "CREATE TABLE extra (id int PRIMARY KEY, at timestamptz)", "CREATE TABLE keyless (a int)");
    assertProblem(
        422,
        "no-usable-key",
        client.send("POST", "/api/ddl/events/tables/public.keyless", "admin", null));
    Answer enabled = client.send("POST", "/api/ddl/events/tables/public.extra", "admin", null);
    assertEquals(201, enabled.status(), enabled.text());
    String before = client.latest();
    client.sql("INSERT INTO extra VALUES (7, '2026-01-02 03:04:05.6+02')");
    JsonNode event = client.changesAfter(before, "admin", "").get(0);
    assertEquals("{\"id\":7,\"at\":\"2026-01-02T01:04:05.6Z\"}", event.get("data").toString());
    assertEquals(
        204, client.send("DELETE", "/api/ddl/events/tables/public.extra", "admin", null).status());
    client.sql(
        "DO $$ BEGIN IF EXISTS (SELECT FROM pg_trigger WHERE tgrelid = 'extra'::regclass) THEN"
            + " RAISE 'a trigger was left'; END IF; END $$");
  }

  @Test
  void aStreamStartsAtItsPositionAndResumesAfterAnId() throws Exception {
    Answer token = client.send("POST", "/events/stream/token", "emea", "{\"tables\":[\"orders\"]}");
    assertEquals(200, token.status(), token.text());
    String path = "/events/stream?token=" + token.json().get("token").asText();
    String first;
    try (Lines stream = new Lines(path, null)) {
      String start = stream.until("id: ").substring(4);
      client.sql(
          "UPDATE orders SET note = 'live' WHERE id IN (SELECT id FROM orders WHERE region = 'emea' ORDER BY id LIMIT 1)");
      first = stream.until("id: ").substring(4);
      assertFalse(first.equals(start));
      assertEquals("event: update", stream.until("event: "));
      assertTrue(stream.until("data: ").contains("\"note\":\"live\""));
    }
    client.sql("UPDATE orders SET note = 'missed' WHERE region = 'emea'");
    assertFalse(client.changesAfter(first, "emea", "orders").isEmpty()); // they are history now
    try (Lines stream = new Lines(path + "&since=earliest", first)) {
      assertEquals("event: batch", stream.until("event: "));
      JsonNode batch = DemoClient.JSON.readTree(stream.until("data: ").substring(6));
      assertEquals(batch.get("count").asInt(), batch.get("events").size());
      assertEquals("missed", batch.at("/events/0/data/note").asText());
    }
  }

  @Test
  void oneTableCanBeSubscribedTo() throws Exception {
    try (Lines stream = new Lines("/data/subscribe/tasks?token=" + token("admin"), null)) {
      stream.until("id: ");
      client.sql("INSERT INTO tasks (project_id, title) VALUES (1, 'écoute')");
      JsonNode row = DemoClient.JSON.readTree(stream.until("data: ").substring(6));
      assertEquals("insert", row.get("event").asText());
      assertEquals("tasks", row.get("table").asText());
      assertEquals("écoute", row.at("/row/title").asText());
    }
  }

  @Test
  void aRevokedKeyIsRefusedAtOnce() throws Exception {
    Answer made =
        client.send(
            "POST", "/api/ddl/keys", "admin", "{\"name\":\"short-lived\",\"role\":\"admin\"}");
    assertEquals(201, made.status(), made.text());
    String secret = made.json().get("secret").asText();
    assertEquals(200, statusWith(secret));
    assertEquals(
        204,
        client
            .send("DELETE", "/api/ddl/keys/" + made.json().get("id").asText(), "admin", null)
            .status());
    assertEquals(401, statusWith(secret));
    assertFalse(client.get("/api/ddl/keys", "admin").text().contains(secret));
  }

  @Test
  void healthMetricsAndDescriptionAreServed() throws Exception {
    assertEquals("up", client.get("/health/live", null).json().get("status").asText());
    Answer ready = client.get("/health/ready", null);
    assertEquals(200, ready.status(), ready.text());
    List<String> sources = new ArrayList<>();
    ready.json().get("sources").forEach(source -> sources.add(source.get("id").asText()));
    assertTrue(sources.containsAll(List.of("shop", "warehouse")), ready.text());
    assertTrue(client.get("/metrics", null).text().contains("jvm_memory_used_bytes"));
    assertTrue(client.get("/openapi.yaml", null).text().startsWith("openapi: 3.1"));
  }

  private static String token(String key) throws IOException, InterruptedException {
    return client.send("POST", "/events/stream/token", key, null).json().get("token").asText();
  }

  private static int statusWith(String secret) throws IOException, InterruptedException {
    return HttpClient.newHttpClient()
        .send(
            HttpRequest.newBuilder(client.url("/api/ddl/events/changes"))
                .header("Authorization", "Bearer " + secret)
                .build(),
            HttpResponse.BodyHandlers.discarding())
        .statusCode();
  }

  /** The lines of a stream. */
  private static final class Lines implements AutoCloseable {
    private final InputStream body;
    private final BufferedReader lines;

    Lines(String path, String lastEventId) throws IOException, InterruptedException {
      HttpRequest.Builder request = HttpRequest.newBuilder(client.url(path));
      if (lastEventId != null) {
        request.header("Last-Event-ID", lastEventId);
      }
      HttpResponse<InputStream> response =
          HttpClient.newHttpClient()
              .send(request.build(), HttpResponse.BodyHandlers.ofInputStream());
      assertEquals(200, response.statusCode());
      assertEquals(
          "text/event-stream",
          response.headers().firstValue("Content-Type").orElse("").replaceAll(";.*", ""));
      body = response.body();
      lines = new BufferedReader(new InputStreamReader(body, StandardCharsets.UTF_8));
    }

    String until(String prefix) throws IOException {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        if (line.startsWith(prefix)) {
          return line;
        }
      }
      throw new IOException("the stream ended before '" + prefix + "'");
    }

    @Override
    public void close() throws IOException {
      body.close();
    }
  }
}
