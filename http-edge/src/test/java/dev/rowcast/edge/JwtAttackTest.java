package dev.rowcast.edge;

import static dev.rowcast.edge.EdgeFixture.as;
import static dev.rowcast.edge.EdgeFixture.json;
import static dev.rowcast.edge.IdentityProvider.ISSUER;
import static dev.rowcast.edge.IdentityProvider.sign;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.http.HttpResponse;
import java.security.PublicKey;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jose4j.jwk.JsonWebKey.OutputControlLevel;
import org.jose4j.jwk.RsaJsonWebKey;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Tokens that must not be believed, one line each. */
class JwtAttackTest {
  private static final EdgeFixture EDGE = new EdgeFixture();
  private static final IdentityProvider PROVIDER = new IdentityProvider();
  private static final RsaJsonWebKey FOREIGN = IdentityProvider.rsa("rsa-1");
  private static final Instant NOW = EDGE.now.get();
  private static final String GOOD = Jwts.claims(NOW, "");

  static {
    EDGE.take(Jwts.published(PROVIDER), Jwts.shared("app"));
  }

  @AfterAll
  static void close() {
    EDGE.close();
    PROVIDER.close();
  }

  /**
   * A token and the answer to it.
   *
   * @param told what the answer says is wrong
   */
  private record Attack(String name, String token, int status, String told) {}

  @Test
  void theTokenThatTheyAreMadeFromIsBelieved() {
    assertEquals(200, ask(PROVIDER.token(GOOD)).statusCode());
    assertEquals(200, ask(sign(PROVIDER.ec, "ES256", GOOD, Map.of())).statusCode());
  }

  @TestFactory
  Stream<DynamicTest> noneOfThemIsBelieved() {
    return attacks().stream()
        .map(attack -> DynamicTest.dynamicTest(attack.name(), () -> assertRefused(attack)));
  }

  private static void assertRefused(Attack attack) {
    HttpResponse<String> answer = ask(attack.token());
    assertEquals(attack.status(), answer.statusCode(), answer.body());
    assertTrue(json(answer.body()).path("detail").asText().contains(attack.told()), answer.body());
    assertFalse(answer.body().contains(attack.token()), "the token isn't repeated");
  }

  private static HttpResponse<String> ask(String token) {
    return EDGE.get("/api/ddl/events/changes", as(token));
  }

  private static List<Attack> attacks() {
    List<Attack> attacks = new ArrayList<>();
    unsigned(attacks);
    confused(attacks);
    keys(attacks);
    times(attacks);
    claims(attacks);
    forms(attacks);
    return attacks;
  }

  private static void add(List<Attack> attacks, String name, String token, String told) {
    attacks.add(new Attack(name, token, 401, told));
  }

  private static void unsigned(List<Attack> attacks) {
    for (String none : List.of("none", "None", "NONE", "nOnE", "")) {
      String head = Jwts.encode(("{\"alg\":\"" + none + "\"}").getBytes(UTF_8));
      String bare = head + "." + Jwts.encode(GOOD.getBytes(UTF_8)) + ".";
      add(attacks, "alg '" + none + "' without signature", bare, "alg: not allowed");
      String signature = PROVIDER.token(GOOD).replaceAll(".*\\.", "");
      add(attacks, "alg '" + none + "' with a signature", bare + signature, "alg: not allowed");
    }
    String good = PROVIDER.token(GOOD);
    add(attacks, "signature cut off", good.substring(0, good.lastIndexOf('.') + 1), "signature");
    add(attacks, "signature of another token", swapped(good), "signature");
    add(attacks, "a foreign key under a known kid", sign(FOREIGN, "RS256", GOOD, Map.of()), "sign");
  }

  private static String swapped(String good) {
    String other = PROVIDER.token(Jwts.claims(NOW, ",\"x\":1"));
    return other.substring(0, other.lastIndexOf('.')) + good.substring(good.lastIndexOf('.'));
  }

  private static void confused(List<Attack> attacks) {
    PublicKey key = PROVIDER.rsa.getPublicKey();
    String pem =
        "-----BEGIN PUBLIC KEY-----\n"
            + java.util.Base64.getMimeEncoder(64, new byte[] {'\n'})
                .encodeToString(key.getEncoded())
            + "\n-----END PUBLIC KEY-----\n";
    String head = "{\"alg\":\"HS256\",\"kid\":\"rsa-1\"}";
    add(attacks, "HS256 by the public key's bytes", Jwts.hmac(head, GOOD, key.getEncoded()), "alg");
    add(
        attacks,
        "HS256 by the public key's PEM",
        Jwts.hmac(head, GOOD, pem.getBytes(UTF_8)),
        "alg");
    String claims = Jwts.claims("app", null, NOW, NOW.plusSeconds(60), ",\"user\":{\"id\":\"a\"}");
    add(attacks, "RS256 where a secret is shared", PROVIDER.token(claims), "alg: not allowed");
    add(
        attacks,
        "an empty HMAC key",
        Jwts.hmac("{\"alg\":\"HS256\"}", claims, new byte[] {0}),
        "sig");
    add(attacks, "an algorithm not allowed", sign(PROVIDER.rsa, "RS512", GOOD, Map.of()), "alg");
    add(attacks, "PS256 not allowed", sign(PROVIDER.rsa, "PS256", GOOD, Map.of()), "alg");
    String es = sign(PROVIDER.ec, "ES256", GOOD, Map.of());
    String zeros = es.substring(0, es.lastIndexOf('.') + 1) + Jwts.encode(new byte[64]);
    add(attacks, "an ECDSA signature of zeros", zeros, "signature");
  }

  private static void keys(List<Attack> attacks) {
    for (String kid :
        List.of("../../../../dev/null", "rsa-1' OR '1'='1", "/etc/passwd", "a|b", "\u0000", "")) {
      RsaJsonWebKey key = IdentityProvider.rsa(kid);
      add(attacks, "kid '" + kid + "'", sign(key, "RS256", GOOD, Map.of()), "kid: not a key");
    }
    RsaJsonWebKey other = IdentityProvider.rsa("other");
    String jwk = other.toJson(OutputControlLevel.PUBLIC_ONLY);
    String head = "{\"alg\":\"RS256\",\"kid\":\"other\",\"jwk\":" + jwk + "}";
    add(attacks, "its own key in jwk", Jwts.hmac(head, GOOD, new byte[] {1}), "kid: not a key");
    try (IdentityProvider evil = new IdentityProvider()) {
      for (String header : List.of("jku", "x5u")) {
        String token = sign(evil.rsa, "RS256", GOOD, Map.of(header, evil.url().toString()));
        add(attacks, "its own key by " + header, token, "signature");
      }
      assertEquals(0, evil.fetches.get());
    }
    add(attacks, "a kid of 300 characters", kid("\"" + "k".repeat(300) + "\""), "header kid");
    add(attacks, "a kid that is a list", kid("[\"rsa-1\"]"), "header kid");
  }

  private static String kid(String json) {
    return Jwts.hmac("{\"alg\":\"RS256\",\"kid\":" + json + "}", GOOD, new byte[] {1});
  }

  private static void times(List<Attack> attacks) {
    add(attacks, "ends now", at(-60, 0, ""), "expired");
    add(attacks, "ended within the leeway", at(-60, -1, ""), "expired");
    add(attacks, "ended long ago", at(-999_999, -999_000, ""), "expired");
    add(attacks, "issued in the future", at(31, 60, ""), "iat");
    add(
        attacks,
        "begins in the future",
        at(0, 60, ",\"nbf\":" + (NOW.getEpochSecond() + 31)),
        "nbf");
    add(attacks, "never ends", without("exp"), "exp: missing");
    for (String exp : List.of("\"9999999999\"", "1e300", "null", "true", "[9999999999]")) {
      String claims = GOOD.replaceAll("\"exp\":[0-9]+", "\"exp\":" + exp);
      add(attacks, "exp " + exp, PROVIDER.token(claims), "exp");
    }
  }

  private static String at(long from, long to, String more) {
    return PROVIDER.token(
        Jwts.claims(ISSUER, "analyst", NOW.plusSeconds(from), NOW.plusSeconds(to), more));
  }

  private static String without(String claim) {
    return PROVIDER.token(GOOD.replaceAll("\"" + claim + "\":(\"[^\"]*\"|[0-9]+)", "\"x\":1"));
  }

  private static String with(String claim, String json) {
    return PROVIDER.token(GOOD.replaceAll("(\"" + claim + "\":)(\"[^\"]*\")", "$1" + json));
  }

  private static void claims(List<Attack> attacks) {
    add(attacks, "no iss", without("iss"), "iss: missing");
    add(attacks, "another iss", with("iss", "\"https://evil.example\""), "iss: not an issuer");
    add(attacks, "iss with a slash more", with("iss", "\"" + ISSUER + "/\""), "iss: not an issuer");
    add(attacks, "iss of an issuer with other keys", with("iss", "\"app\""), "alg");
    add(attacks, "iss as a list", with("iss", "[\"" + ISSUER + "\"]"), "iss");
    add(attacks, "no aud", without("aud"), "aud: missing");
    add(attacks, "another aud", with("aud", "\"billing\""), "aud: meant for another");
    add(attacks, "aud as an object", with("aud", "{\"rowcast\":1}"), "aud: meant for another");
    add(attacks, "aud as an empty list", with("aud", "[]"), "aud: meant for another");
    add(attacks, "no sub", without("sub"), "sub: missing");
    add(attacks, "an empty sub", with("sub", "\"\""), "sub: missing");
    add(attacks, "a sub that is a list", with("sub", "[\"u-7\"]"), "sub: missing");
    add(attacks, "no role", without("role"), "role: missing");
    for (String role :
        List.of(
            "\"king\"",
            "\"Admin\"",
            "[\"analyst\",\"admin\"]",
            "[]",
            "[\"king\"]",
            "7",
            "{\"a\":1}")) {
      attacks.add(new Attack("role " + role, with("role", role), 403, "role: "));
    }
    String twice = GOOD.replace("\"role\":", "\"role\":\"admin\",\"role\":");
    add(attacks, "a role twice", PROVIDER.token(twice), "a member twice");
    String exp = GOOD.replace("\"exp\":", "\"exp\":9999999999,\"exp\":");
    add(attacks, "exp twice", PROVIDER.token(exp), "a member twice");
  }

  private static void forms(List<Attack> attacks) {
    String head = "{\"alg\":\"RS256\",\"kid\":\"rsa-1\"";
    byte[] key = {1};
    add(attacks, "alg twice", Jwts.hmac(head + ",\"alg\":\"none\"}", GOOD, key), "a member twice");
    add(attacks, "crit", Jwts.hmac(head + ",\"crit\":[\"exp\"]}", GOOD, key), "crit");
    add(attacks, "b64", Jwts.hmac(head + ",\"b64\":false}", GOOD, key), "b64");
    add(attacks, "zip", Jwts.hmac(head + ",\"zip\":\"DEF\"}", GOOD, key), "zip");
    add(attacks, "a payload that is a list", Jwts.hmac(head + "}", "[]", key), "not an object");
    add(attacks, "a payload that is no JSON", Jwts.hmac(head + "}", "{", key), "payload");
    add(attacks, "more after the payload", Jwts.hmac(head + "}", GOOD + "{}", key), "payload");
    String nest = "[".repeat(2000) + "]".repeat(2000);
    add(attacks, "a deep payload", Jwts.hmac(head + "}", "{\"a\":" + nest + "}", key), "payload");
    add(attacks, "a header without alg", Jwts.hmac("{}", GOOD, key), "alg: missing");
    String long4k = PROVIDER.token(Jwts.claims(NOW, ",\"x\":\"" + "x".repeat(4000) + "\""));
    add(attacks, "longer than allowed", long4k, "at most 4096");
    String long12k = PROVIDER.token(Jwts.claims(NOW, ",\"x\":\"" + "x".repeat(9500) + "\""));
    add(attacks, "longer than anybody may be", long12k, "at most 12288");
    String good = PROVIDER.token(GOOD);
    add(attacks, "four parts", good + ".x", "unknown");
    add(attacks, "five parts, as if encrypted", good + ".x.y", "unknown");
    add(attacks, "other characters", good.replaceFirst("\\.", ".!"), "unknown");
    add(attacks, "padding", good + "=", "unknown");
    add(attacks, "a stream token's form", "st2." + good.replace('.', '_'), "stream token");
  }
}
