package dev.rowcast.edge;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.rowcast.config.JwtAlgorithm;
import dev.rowcast.config.JwtConfig;
import dev.rowcast.config.JwtConfig.JwtKeys;
import dev.rowcast.config.Secret;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/** Issuers as a configuration has them, and tokens made by hand, which no library would make. */
final class Jwts {
  static final Secret SHARED = new Secret("0123456789abcdef0123456789abcdef");
  static final String AUDIENCE = "rowcast";

  private Jwts() {}

  static JwtConfig published(IdentityProvider provider, JwtAlgorithm... algorithms) {
    return new JwtConfig(
        new JwtKeys.Published(provider.url(), Duration.ofMinutes(5)),
        List.of(IdentityProvider.ISSUER),
        List.of(AUDIENCE),
        algorithms.length == 0
            ? Set.of(JwtAlgorithm.RS256, JwtAlgorithm.ES256)
            : Set.of(algorithms),
        "role",
        null,
        "sub",
        null,
        Duration.ofSeconds(30),
        4096);
  }

  static JwtConfig shared(String issuer) {
    return new JwtConfig(
        new JwtKeys.Shared(SHARED),
        List.of(issuer),
        List.of(AUDIENCE),
        Set.of(JwtAlgorithm.HS256),
        "app.role",
        "analyst",
        "user.id",
        Map.of("tenant", "app.tenant"),
        Duration.ZERO,
        4096);
  }

  /** Claims that are good at {@code now} for a minute, with {@code more} in front of the brace. */
  static String claims(Instant now, String more) {
    return claims(IdentityProvider.ISSUER, "analyst", now, now.plusSeconds(60), more);
  }

  static String claims(
      String issuer, @Nullable String role, Instant from, Instant expires, String more) {
    return "{\"iss\":\""
        + issuer
        + "\",\"aud\":\""
        + AUDIENCE
        + "\",\"sub\":\"u-7\""
        + (role == null ? "" : ",\"role\":\"" + role + "\"")
        + ",\"iat\":"
        + from.getEpochSecond()
        + ",\"exp\":"
        + expires.getEpochSecond()
        + more
        + "}";
  }

  /** A token with this header and this payload, signed by HMAC with {@code key}. */
  static String hmac(String header, String claims, byte[] key) {
    String signed = encode(header.getBytes(UTF_8)) + "." + encode(claims.getBytes(UTF_8));
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(key, "HmacSHA256"));
      return signed + "." + encode(mac.doFinal(signed.getBytes(US_ASCII)));
    } catch (GeneralSecurityException e) {
      throw new AssertionError(e);
    }
  }

  static String hmac(String claims) {
    return hmac("{\"alg\":\"HS256\"}", claims, SHARED.reveal().getBytes(UTF_8));
  }

  static String encode(byte[] bytes) {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }
}
