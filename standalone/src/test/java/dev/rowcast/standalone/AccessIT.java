package dev.rowcast.standalone;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.rowcast.policy.Identity;
import dev.rowcast.policy.Scope;
import dev.rowcast.standalone.oracle.SseStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.security.GeneralSecurityException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** Keys, tokens and rules that change while nodes run, over real HTTP, Kafka and PostgreSQL. */
class AccessIT {
  private static final Duration LIMIT = Duration.ofSeconds(30);
  private static final String SHARED = "a secret shared with an issuer, long enough";
  private static final String TABLES = "tables: [{id: orders, source_id: \"${env:SOURCE}\"}]\n";
  private static final String ROLES = "roles: [{id: analyst}, {id: guest}]\n";
  private static final String BASE = TABLES + ROLES + rule("region = :region");
  private static final ObjectMapper JSON = new ObjectMapper();

  private static NodeFixture node;

  /** What the file says now. */
  private static String written = BASE;

  private static final HttpClient HTTP = HttpClient.newHttpClient();

  @BeforeAll
  static void start() throws Exception {
    node =
        NodeFixture.start(
            List.of("CREATE TABLE orders (id int PRIMARY KEY, region text)"),
            BASE,
            Map.of(
                "root", new Identity("root", "admin", Map.of(), Scope.ALL),
                "emea", new Identity("e", "analyst", Map.of("region", "emea"), Scope.ALL),
                "visitor", new Identity("v", "guest", Map.of(), Scope.ALL)));
  }

  @AfterAll
  static void stop() {
    node.close();
  }

  @AfterEach
  void restore() throws Exception {
    try (Connection connection = node.connect();
        Statement statement = connection.createStatement()) {
      statement.execute("DELETE FROM orders");
    }
    if (!written.equals(BASE)) {
      rewrite(BASE, "applied");
    }
  }

  private static String rule(String filter) {
    return "rls_rules: [{table_id: orders, role_id: analyst, filter: \"" + filter + "\"}]\n";
  }

  private static void insert(int id, String region) throws SQLException {
    try (Connection connection = node.connect();
        Statement statement = connection.createStatement()) {
      statement.execute("INSERT INTO orders VALUES (" + id + ", '" + region + "')");
    }
  }

  /** Writes the file and waits until it was read. */
  private static void rewrite(String yaml, String outcome) throws IOException {
    double before = metric("rowcast_config_reloads_total{outcome=\"" + outcome + "\"}");
    node.rewrite(yaml);
    written = yaml;
    await()
        .atMost(LIMIT)
        .until(() -> metric("rowcast_config_reloads_total{outcome=\"" + outcome + "\"}") > before);
  }

  private static double metric(String name) {
    return send(node.url(), "GET", "metrics", "root", null)
        .body()
        .lines()
        .filter(line -> line.startsWith(name + " "))
        .mapToDouble(line -> Double.parseDouble(line.substring(name.length() + 1)))
        .sum();
  }

  private static HttpResponse<String> send(
      URI url, String method, String path, String key, String body) {
    HttpRequest request =
        HttpRequest.newBuilder(url.resolve(path))
            .timeout(LIMIT)
            .header("Authorization", "Bearer " + key)
            .header("Content-Type", "application/json")
            .method(
                method,
                body == null
                    ? HttpRequest.BodyPublishers.noBody()
                    : HttpRequest.BodyPublishers.ofString(body))
            .build();
    try {
      return HTTP.send(request, HttpResponse.BodyHandlers.ofString());
    } catch (IOException | InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private static int poll(String key) {
    return send(node.url(), "GET", "api/ddl/events/changes?cursor=latest", key, null).statusCode();
  }

  private static SseStream stream(URI url, String key, String lastId) throws Exception {
    return SseStream.open(HTTP, url.resolve("events/stream"), key, lastId);
  }

  private static SseStream.Event next(SseStream stream) throws IOException {
    SseStream.Event event = stream.next();
    assertNotNull(event, "the stream ended without a word");
    return event;
  }

  private static int id(SseStream.Event event) throws IOException {
    return JSON.readTree(event.data()).path("rowKey").path("id").asInt();
  }

  private static void assertEnded(SseStream stream, String reason) throws IOException {
    SseStream.Event end = next(stream);
    assertEquals("end", end.type());
    assertEquals("{\"reason\":\"" + reason + "\"}", end.data());
  }

  @Test
  void aKeyRevokedAtOneNodeEndsItsStreamAtAnotherWithinAHeartbeat() throws Exception {
    URI other = node.startAnother();
    JsonNode key =
        JSON.readTree(
            run(
                "create",
                "--name",
                "brief",
                "--role",
                "analyst",
                "--claim",
                "region=emea",
                "--json"));
    String secret = key.path("secret").asText();
    await().atMost(LIMIT).until(() -> reads(other, secret));
    try (SseStream stream = stream(other, secret, null)) {
      insert(1, "emea");
      assertEquals(1, id(next(stream)));
      assertTrue(run("list").contains(key.path("id").asText()));

      long revoked = System.nanoTime();
      assertEquals("revoked", run("revoke", key.path("id").asText()).strip());
      assertEnded(stream, "revoked");

      Duration took = Duration.ofNanos(System.nanoTime() - revoked);
      assertTrue(took.compareTo(Duration.ofSeconds(1)) < 0, took + " (a heartbeat is 1 s)");
    }
    assertEquals(401, poll(secret));
  }

  private static boolean reads(URI url, String secret) {
    return send(url, "GET", "health/ready", secret, null).statusCode() == 200
        && send(url, "GET", "api/ddl/events/changes?cursor=latest", secret, null).statusCode()
            == 200;
  }

  /** What {@code rowcast keys} prints, as root. */
  private static String run(String command, String... arguments) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    String[] all = new String[arguments.length + 6];
    System.arraycopy(
        new String[] {"keys", command, "--url", node.url().toString(), "--key", "root"},
        0,
        all,
        0,
        6);
    System.arraycopy(arguments, 0, all, 6, arguments.length);
    int code =
        new CommandLine(new Rowcast())
            .setOut(new PrintWriter(out, true))
            .setErr(new PrintWriter(err, true))
            .execute(all);
    assertEquals(0, code, err.toString());
    return out.toString();
  }

  @Test
  void aChangedRuleEndsThoseWhomItConcernsAndNothingIsLost() throws Exception {
    try (SseStream analyst = stream(node.url(), "emea", null);
        SseStream admin = stream(node.url(), "root", null)) {
      insert(1, "emea");
      assertEquals(1, id(next(analyst)));

      rewrite(TABLES + ROLES + rule("region = 'apac'"), "applied");
      assertEnded(analyst, "policy-changed");
      insert(2, "apac");
      insert(3, "emea");

      for (int id = 1; id <= 3; id++) {
        assertEquals(id, id(next(admin)), "whose view is the same goes on");
      }
      try (SseStream again = stream(node.url(), "emea", analyst.lastId())) {
        SseStream.Event missed = next(again);
        JsonNode events = JSON.readTree(missed.data()).path("events");
        JsonNode first =
            missed.type().equals("batch") ? events.path(0) : JSON.readTree(missed.data());
        assertEquals(2, first.path("rowKey").path("id").asInt());
        insert(4, "apac");
        assertEquals(4, id(next(again)), "3 is hidden from now on");
      }
    }
  }

  @Test
  void aFaultyFileIsRefusedWholeAndWhatHeldGoesOn() throws Exception {
    try (SseStream analyst = stream(node.url(), "emea", null)) {
      String jwt = "auth: {jwt: {secret: '" + SHARED + "', issuer: i, audience: a}}\n";
      for (String faulty :
          List.of(
              TABLES + "roles: [{id: analyst}]\n" + jwt + rule("region >< 1"),
              TABLES
                  + ROLES
                  + jwt
                  + "rls_rules: [{table_id: nowhere, role_id: analyst, filter: x}]\n",
              TABLES + "roles: [\n",
              BASE + "rols: []\n")) {
        rewrite(faulty, "refused");
        assertEquals(0, metric("rowcast_config_valid"));
        assertEquals(401, poll(jwt("analyst")), "no part of it holds");
        assertEquals(200, poll("visitor"), "the role that it left out is still there");
      }
      insert(1, "emea");
      assertEquals(1, id(next(analyst)));
      rewrite(BASE + "\n", "applied");
      assertEquals(1, metric("rowcast_config_valid"));
    }
  }

  @Test
  void aRoleThatIsGoneEndsItsStreams() throws Exception {
    try (SseStream visitor = stream(node.url(), "visitor", null)) {
      rewrite(TABLES + "roles: [{id: analyst}]\n" + rule("region = :region"), "applied");
      assertEnded(visitor, "role-removed");
    }
    assertEquals(403, poll("visitor"));
  }

  @Test
  void anIssuerIsTakenAndDroppedWhileTheNodeRuns() throws Exception {
    assertEquals(401, poll(jwt("analyst")));
    rewrite(BASE + "auth: {jwt: {secret: '" + SHARED + "', issuer: i, audience: a}}\n", "applied");
    assertEquals(200, poll(jwt("analyst")));
    try (SseStream stream = stream(node.url(), jwt("analyst"), null)) {
      insert(1, "emea");
      assertEquals(1, id(next(stream)));
      rewrite(BASE, "applied");
      assertEnded(stream, "revoked");
    }
  }

  @Test
  void anotherAdminKeyTakesThePlaceOfTheFormer() throws Exception {
    String second = "the-second-administrator's-key-long-enough";
    rewrite(BASE + "auth: {admin_key: \"" + second + "\"}\n", "applied");
    assertEquals(200, send(node.url(), "GET", "api/ddl/keys", second, null).statusCode());
    String third = second.replace("second", "third");
    rewrite(BASE + "auth: {admin_key: \"" + third + "\"}\n", "applied");
    assertEquals(401, send(node.url(), "GET", "api/ddl/keys", second, null).statusCode());
    assertEquals(200, send(node.url(), "GET", "api/ddl/keys", third, null).statusCode());
  }

  private static String jwt(String role) {
    long now = Instant.now().getEpochSecond();
    String claims =
        "{\"iss\":\"i\",\"aud\":\"a\",\"sub\":\"u\",\"role\":\"%s\",\"region\":\"emea\",\"exp\":%d}"
            .formatted(role, now + 600);
    Base64.Encoder base64 = Base64.getUrlEncoder().withoutPadding();
    String signed =
        base64.encodeToString("{\"alg\":\"HS256\"}".getBytes(UTF_8))
            + "."
            + base64.encodeToString(claims.getBytes(UTF_8));
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(SHARED.getBytes(UTF_8), "HmacSHA256"));
      return signed + "." + base64.encodeToString(mac.doFinal(signed.getBytes(UTF_8)));
    } catch (GeneralSecurityException e) {
      throw new AssertionError(e);
    }
  }
}
