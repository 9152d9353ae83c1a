package dev.rowcast.edge;

import static dev.rowcast.edge.EdgeFixture.as;
import static dev.rowcast.edge.EdgeFixture.json;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.jose4j.jwk.JsonWebKey;
import org.jose4j.jwk.PublicJsonWebKey;
import org.jose4j.jwk.RsaJsonWebKey;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The keys of an issuer that publishes them: had once, rotated, and away. */
class JwksTest {
  private final EdgeFixture edge = new EdgeFixture(Duration.ofMillis(100));
  private final IdentityProvider provider = new IdentityProvider();
  private final RsaJsonWebKey next = IdentityProvider.rsa("rsa-2");

  @BeforeEach
  void takeItsTokens() {
    edge.take(Jwts.published(provider));
  }

  @AfterEach
  void close() {
    edge.close();
    provider.close();
  }

  private int status(String token) {
    return edge.get("/api/ddl/events/changes", as(token)).statusCode();
  }

  private String by(PublicJsonWebKey key) {
    String algorithm = key instanceof RsaJsonWebKey ? "RS256" : "ES256";
    return IdentityProvider.sign(key, algorithm, longLived(), Map.of());
  }

  private String longLived() {
    return Jwts.claims(
        IdentityProvider.ISSUER, "analyst", edge.now.get(), edge.now.get().plusSeconds(99_999), "");
  }

  private void pass(Duration time) {
    edge.now.updateAndGet(now -> now.plus(time));
  }

  @Test
  void areFetchedOnceForAllTokens() {
    for (int i = 0; i < 5; i++) {
      assertEquals(200, status(by(provider.rsa)));
      assertEquals(200, status(by(provider.ec)));
    }
    assertEquals(1, provider.fetches.get());
  }

  @Test
  void areFetchedOnceForAllWhoComeAtOnce() {
    String token = by(provider.rsa);
    List<CompletableFuture<Integer>> asked =
        IntStream.range(0, 10)
            .mapToObj(i -> CompletableFuture.supplyAsync(() -> status(token)))
            .toList();
    asked.forEach(answer -> assertEquals(200, answer.join()));
    assertEquals(1, provider.fetches.get());
  }

  @Test
  void aNewKeyIsTakenAtOnceAndNobodyCanHaveUsStormTheIssuer() {
    assertEquals(200, status(by(provider.rsa)));
    provider.answers(IdentityProvider.keys(provider.rsa, next));
    assertEquals(401, status(by(next)), "just fetched");
    pass(Duration.ofSeconds(30));
    assertEquals(200, status(by(next)));
    for (int i = 0; i < 20; i++) {
      assertEquals(401, status(by(IdentityProvider.ec("forged-" + i))));
    }
    assertEquals(2, provider.fetches.get());
  }

  @Test
  void aKeyThatIsWithdrawnEndsWhatItOpened() throws IOException {
    String token = by(provider.rsa);
    try (StreamClient client = edge.stream(token, "/events/stream");
        StreamClient other = edge.stream(by(provider.ec), "/events/stream")) {
      client.readUntil(() -> !client.sse.lastId.isEmpty());
      provider.answers(IdentityProvider.keys(provider.ec));
      pass(Duration.ofMinutes(5));
      client.readToEnd();
      assertEquals("{\"reason\":\"revoked\"}", client.sse.events.get(0).data());
      other.readUntil(() -> other.sse.comments.contains("heartbeat"));
      assertTrue(other.sse.events.isEmpty(), "signed by a key that stays");
    }
    assertEquals(401, status(token));
  }

  @Test
  void areRefreshedInTheBackground() {
    assertEquals(200, status(by(provider.rsa)));
    provider.answers(IdentityProvider.keys(provider.rsa, next));
    pass(Duration.ofMinutes(5));
    assertEquals(200, status(by(provider.rsa)));
    await().until(() -> status(by(next)) == 200);
    assertEquals(2, provider.fetches.get());
  }

  @Test
  void stayAsTheyWereWhileTheIssuerIsAway() {
    assertEquals(200, status(by(provider.rsa)));
    provider.answers(IdentityProvider.text(503, "down"));
    for (int minutes = 0; minutes < 60; minutes += 10) {
      pass(Duration.ofMinutes(10));
      assertEquals(200, status(by(provider.rsa)));
    }
    await().until(() -> provider.fetches.get() > 1);
    assertEquals(401, status(by(next)), "a key that nobody could ask about");
    provider.answers(IdentityProvider.keys(provider.rsa, next));
    pass(Duration.ofSeconds(5));
    assertEquals(200, status(by(next)), "asked for soon after a failure");
    String metrics = edge.get("/metrics").body();
    assertTrue(metrics.contains("rowcast_jwks_fetches_total{outcome=\"failed\"}"), metrics);
  }

  @Test
  void whatCannotBeHadIsNoVerdictOnTheToken() {
    provider.answers(IdentityProvider.text(500, "broken"));
    HttpResponse<String> answer = edge.get("/api/ddl/events/changes", as(by(provider.rsa)));
    assertEquals(503, answer.statusCode());
    assertTrue(answer.headers().firstValue("Retry-After").isPresent());
    provider.answers(IdentityProvider.keys(provider.rsa));
    pass(Duration.ofSeconds(5));
    assertEquals(200, status(by(provider.rsa)));
  }

  @Test
  void aRedirectIsNotFollowed() {
    try (IdentityProvider elsewhere = new IdentityProvider()) {
      provider.answers(IdentityProvider.redirect(elsewhere.url()));
      assertEquals(503, status(by(elsewhere.rsa)));
      assertEquals(0, elsewhere.fetches.get());
    }
  }

  @Test
  void anAnswerWithoutEndIsCutOff() {
    provider.answers(IdentityProvider.endless());
    assertEquals(503, status(by(provider.rsa)));
  }

  @Test
  void anIssuerThatHangsCostsOneDeadlineAndFewWaiters() {
    provider.answers(provider.hanging());
    String token = by(provider.rsa);
    long began = System.nanoTime();
    List<CompletableFuture<Integer>> asked =
        IntStream.range(0, 40)
            .mapToObj(
                i -> edge.http.sendAsync(request(token), HttpResponse.BodyHandlers.discarding()))
            .map(answer -> answer.thenApply(HttpResponse::statusCode))
            .toList();
    asked.forEach(answer -> assertEquals(503, answer.join()));
    long seconds = Duration.ofNanos(System.nanoTime() - began).toSeconds();
    assertTrue(seconds < 15, seconds + " s");
    assertEquals(1, provider.fetches.get());
  }

  private java.net.http.HttpRequest request(String token) {
    return java.net.http.HttpRequest.newBuilder(
            java.net.URI.create("http://127.0.0.1:" + edge.port + "/api/ddl/events/changes"))
        .header("Authorization", "Bearer " + token)
        .build();
  }

  @Test
  void aPublishedSecretVerifiesNothing() throws Exception {
    JsonWebKey oct =
        JsonWebKey.Factory.newJwk(
            Map.of(
                "kty", "oct", "kid", "s", "k", Jwts.encode(Jwts.SHARED.reveal().getBytes(UTF_8))));
    String set = "{\"keys\":[" + oct.toJson(JsonWebKey.OutputControlLevel.INCLUDE_SYMMETRIC) + "]}";
    provider.answers(IdentityProvider.text(200, set));
    assertEquals(401, status(Jwts.hmac(longLived())));
    assertEquals(401, status(by(provider.rsa)));
  }

  @Test
  void keysThatAreNotForSignaturesVerifyNone() {
    RsaJsonWebKey encryption = IdentityProvider.rsa("enc");
    encryption.setUse("enc");
    RsaJsonWebKey other = IdentityProvider.rsa("ps");
    other.setAlgorithm("PS256");
    provider.answers(IdentityProvider.keys(encryption, other));
    assertEquals(401, status(by(encryption)));
    assertEquals(401, status(by(other)), "the key is for another algorithm");
  }

  @Test
  void whatIsNoKeySetIsAFailure() {
    provider.answers(IdentityProvider.text(200, "<html>login</html>"));
    assertEquals(503, status(by(provider.rsa)));
    assertEquals(
        "unavailable",
        json(edge.get("/api/ddl/events/changes", as(by(provider.rsa))).body())
            .path("type")
            .asText());
  }
}
