package dev.rowcast.edge;

import static dev.rowcast.edge.EdgeFixture.CUSTOMERS;
import static dev.rowcast.edge.EdgeFixture.ORDERS;
import static dev.rowcast.edge.EdgeFixture.as;
import static dev.rowcast.edge.EdgeFixture.json;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rowcast.config.JwtAlgorithm;
import dev.rowcast.config.JwtConfig;
import dev.rowcast.config.JwtConfig.JwtKeys;
import dev.rowcast.policy.Identity;
import dev.rowcast.policy.Scope;
import java.io.IOException;
import java.math.BigDecimal;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.jose4j.jwk.OctetKeyPairJsonWebKey;
import org.jose4j.jwk.OkpJwkGenerator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** JWTs as credentials, from a real issuer over HTTP; who must not get in is another test. */
class JwtTest {
  private final EdgeFixture edge = new EdgeFixture(Duration.ofMillis(100));
  private final IdentityProvider provider = new IdentityProvider();

  @BeforeEach
  void takeItsTokens() {
    edge.take(Jwts.published(provider));
  }

  @AfterEach
  void close() {
    edge.close();
    provider.close();
  }

  private Instant now() {
    return edge.now.get();
  }

  private String token(String role, int seconds) {
    return provider.token(
        Jwts.claims(IdentityProvider.ISSUER, role, now(), now().plusSeconds(seconds), ""));
  }

  private HttpResponse<String> poll(String token) {
    return edge.get("/api/ddl/events/changes", as(token));
  }

  private StreamClient open(String query, String... headers) throws IOException {
    StreamClient client = new StreamClient(edge.port, "/events/stream" + query, headers).readHead();
    if (client.status == 200) {
      client.readUntil(() -> !client.sse.lastId.isEmpty());
    }
    return client;
  }

  private static void assertEnded(StreamClient client, String reason) throws IOException {
    client.readToEnd();
    SseParser.Event end = client.sse.events.get(client.sse.events.size() - 1);
    assertEquals("end", end.type());
    assertEquals("{\"reason\":\"" + reason + "\"}", end.data());
  }

  /** Whom a token is taken for. */
  private Identity identity(String token) {
    AtomicReference<Identity> asked = new AtomicReference<>();
    edge.policy.set(
        identity -> {
          asked.set(identity);
          return new EdgeFixture.RoleView(identity);
        });
    assertEquals(200, poll(token).statusCode());
    return asked.get();
  }

  @Test
  void readsManagesAndStreamsAsItsRole() throws IOException {
    edge.insert(ORDERS, 1);
    assertEquals(1, json(poll(token("analyst", 60)).body()).path("events").size());
    assertEquals(403, edge.get("/api/ddl/keys", as(token("analyst", 60))).statusCode());
    assertEquals(200, edge.get("/api/ddl/keys", as(token("admin", 60))).statusCode());
    try (StreamClient client = open("", "Authorization: Bearer " + token("analyst", 60))) {
      edge.insert(CUSTOMERS, 2);
      assertEquals("2.e1", client.event(0).lastId());
    }
  }

  @Test
  void allItsClaimsReachTheRulesByTheirPaths() {
    String claims =
        Jwts.claims(
            now(),
            ",\"region\":\"emea\",\"level\":3,\"rate\":1.50,\"on\":true,\"depts\":[\"a\",2],"
                + "\"app\":{\"tenant\":{\"id\":7}},\"mixed\":[1,{}],\"no\":null,\"huge\":1e999999");
    assertEquals(
        new Identity(
            "u-7",
            "analyst",
            Map.of(
                "sub",
                "u-7",
                "role",
                "analyst",
                "region",
                "emea",
                "level",
                3L,
                "rate",
                new BigDecimal("1.50"),
                "on",
                true,
                "depts",
                List.of("a", 2L),
                "app.tenant.id",
                7L),
            Scope.ALL),
        identity(provider.token(claims)));
  }

  @Test
  void roleSubjectAndClaimsStandWhereTheConfigurationSays() {
    edge.take(Jwts.shared("app"));
    Instant end = now().plusSeconds(60);
    String more = ",\"app\":{\"role\":[\"offline\",\"manager\"],\"tenant\":9},\"user\":{\"id\":12}";
    assertEquals(
        new Identity("12", "manager", Map.of("tenant", 9L), Scope.ALL),
        identity(Jwts.hmac(Jwts.claims("app", "admin", now(), end, more))));
    assertEquals(
        new Identity("12", "analyst", Map.of(), Scope.ALL),
        identity(Jwts.hmac(Jwts.claims("app", "admin", now(), end, ",\"user.id\":\"12\""))));
  }

  @Test
  void aNameWithDotsGoesBeforeAPath() {
    JwtConfig byUrl =
        new JwtConfig(
            new JwtKeys.Shared(Jwts.SHARED),
            List.of("app"),
            List.of(),
            Set.of(JwtAlgorithm.HS256),
            "https://example.com/claims.role",
            null,
            "sub",
            Map.of("t", "https://example.com/tenant"),
            Duration.ZERO,
            4096);
    edge.take(byUrl);
    String more =
        ",\"https://example.com/claims\":{\"role\":\"manager\"},\"https://example.com/tenant\":\"x\"";
    assertEquals(
        new Identity("u-7", "manager", Map.of("t", "x"), Scope.ALL),
        identity(Jwts.hmac(Jwts.claims("app", "admin", now(), now().plusSeconds(9), more))));
  }

  @Test
  void anAudienceMayBeOneOfSeveralAndAClockAlittleBehind() {
    String claims = Jwts.claims(now().plusSeconds(29), "");
    String several = claims.replace("\"rowcast\"", "[\"billing\",\"rowcast\"]");
    assertEquals(200, poll(provider.token(several)).statusCode());
  }

  @Test
  void edwardsCurvesAreTakenWhereTheyAreAllowed() throws Exception {
    OctetKeyPairJsonWebKey key = OkpJwkGenerator.generateJwk("Ed25519");
    key.setKeyId("ed");
    provider.answers(IdentityProvider.keys(key));
    String token = IdentityProvider.sign(key, "EdDSA", Jwts.claims(now(), ""), Map.of());
    edge.take(Jwts.published(provider, JwtAlgorithm.EDDSA));
    assertEquals(200, poll(token).statusCode());
  }

  @Test
  void itsStreamTokenConnectsUntilItEndsAndShowsNothingOfIt() throws IOException {
    String jwt = token("analyst", 90);
    HttpResponse<String> issued = edge.send("POST", "/events/stream/token", "{}", as(jwt));
    assertEquals("2026-11-30T20:01:30Z", json(issued.body()).path("expiresUtc").asText());
    String token = json(issued.body()).path("token").asText();
    for (String part : jwt.split("\\.", -1)) {
      assertFalse(token.contains(part), "the JWT can't be read from a URL");
    }
    assertEquals(200, status("?token=" + token));
    char other = token.charAt(30) == 'A' ? 'B' : 'A';
    assertEquals(401, status("?token=" + token.substring(0, 30) + other + token.substring(31)));
    assertEquals(401, status("?token=" + jwt), "a JWT isn't taken from a URL");
    assertEquals(401, poll(token).statusCode(), "a stream token only opens streams");
    edge.now.updateAndGet(now -> now.plusSeconds(90));
    assertEquals(401, status("?token=" + token));
  }

  private int status(String query) throws IOException {
    try (StreamClient client = open(query)) {
      return client.status;
    }
  }

  @Test
  void aStreamThatItOpenedEndsWithIt() throws IOException {
    String jwt = token("analyst", 60);
    String token = edge.token(jwt, null);
    try (StreamClient direct = open("", "Authorization: Bearer " + jwt);
        StreamClient redeemed = open("?token=" + token)) {
      edge.now.updateAndGet(now -> now.plusSeconds(59));
      edge.insert(ORDERS, 1);
      assertEquals("insert", direct.event(0).type());
      edge.now.updateAndGet(now -> now.plusSeconds(1));
      assertEnded(direct, "expired");
      assertEnded(redeemed, "expired");
    }
  }

  @Test
  void aStreamEndsOnceItsIssuerIsTakenNoMore() throws IOException {
    String jwt = token("analyst", 3600);
    String token = edge.token(jwt, null);
    try (StreamClient client = open("?token=" + token)) {
      edge.take(Jwts.shared("app"));
      edge.edge.recheck();
      assertEnded(client, "revoked");
    }
    assertEquals(401, status("?token=" + token), "its stream token was judged with it");
    assertEquals(401, poll(jwt).statusCode());
  }

  @Test
  void aStreamEndsWhenItsClaimsMeanAnotherRole() throws IOException {
    String jwt = provider.token(Jwts.claims(now(), ",\"other\":\"manager\""));
    try (StreamClient client = open("", "Authorization: Bearer " + jwt)) {
      JwtConfig was = Jwts.published(provider);
      edge.take(
          new JwtConfig(
              was.keys(),
              was.issuers(),
              was.audiences(),
              was.algorithms(),
              "other",
              null,
              "sub",
              null,
              was.leeway(),
              was.maxBytes()));
      assertEnded(client, "role-changed");
    }
  }

  @Test
  void aPollThatWaitsTellsNothingOnceItsCredentialHasEnded() throws Exception {
    String jwt = token("analyst", 60);
    var waiting =
        edge.http.sendAsync(
            java.net.http.HttpRequest.newBuilder(
                    java.net.URI.create(
                        "http://127.0.0.1:" + edge.port + "/api/ddl/events/changes?wait=20000"))
                .header("Authorization", "Bearer " + jwt)
                .build(),
            HttpResponse.BodyHandlers.ofString());
    org.awaitility.Awaitility.await().until(() -> edge.feed.waiting() > 0);
    edge.now.updateAndGet(now -> now.plusSeconds(60));
    edge.insert(ORDERS, 1);
    HttpResponse<String> answer = waiting.get();
    assertEquals(401, answer.statusCode(), answer.body());
  }

  @Test
  void aRoleThatTheConfigurationNoLongerHasEndsStreamsAndOpensNone() throws IOException {
    String jwt = token("manager", 60);
    edge.keys.ensure("m", "secret-m", EdgeFixture.identity("manager"));
    try (StreamClient byJwt = open("", "Authorization: Bearer " + jwt);
        StreamClient byKey = edge.stream("secret-m", "/events/stream")) {
      edge.roles.set(List.of());
      edge.edge.recheck();
      assertEnded(byJwt, "role-removed");
      assertEnded(byKey, "role-removed");
    }
    assertEquals(403, poll("secret-m").statusCode());
  }

  @Test
  void countsWhatIsHeldOfTokensAndNamesNoneOfThem() {
    String jwt = token("analyst", 60);
    poll(jwt);
    poll(token("king", 60));
    String metrics = edge.get("/metrics").body();
    assertTrue(metrics.contains("rowcast_jwt_judged_total{outcome=\"accepted\"} 1.0"), metrics);
    assertTrue(metrics.contains("rowcast_jwt_judged_total{outcome=\"role\"} 1.0"), metrics);
    assertFalse(metrics.contains(jwt.substring(0, 40)));
  }
}
