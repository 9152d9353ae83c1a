package dev.rowcast.edge.jwt;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.rowcast.config.JwtConfig;
import dev.rowcast.edge.jwt.Judgement.Reason;
import java.time.DateTimeException;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The registered claims (RFC 7519, 4.1) that decide whether a token is good here and now. Each must
 * have the type that the RFC gives it: a date in quotes isn't a date. Stateless; thread-safe.
 */
final class ClaimChecks {
  private static final long MILLIS = 1000;

  private ClaimChecks() {}

  /**
   * @return from when on the token is refused
   * @throws RefusedException if it isn't meant for us, is over, or has yet to begin
   */
  static Instant require(JwtConfig config, ObjectNode claims, Instant now) throws RefusedException {
    Instant expires = date(claims, "exp");
    if (expires == null) {
      throw new RefusedException(Reason.CLAIMS, "exp: missing (expected: when the token ends)");
    }
    if (!now.isBefore(expires)) {
      throw new RefusedException(Reason.EXPIRED, "The JWT has expired");
    }
    for (String begin : new String[] {"nbf", "iat"}) {
      Instant from = date(claims, begin);
      if (from != null && from.isAfter(now.plus(config.leeway()))) {
        throw new RefusedException(Reason.NOT_YET, begin + ": a time to come");
      }
    }
    requireAudience(config, claims.get("aud"));
    return expires;
  }

  private static void requireAudience(JwtConfig config, @Nullable JsonNode audience)
      throws RefusedException {
    if (config.audiences().isEmpty()) {
      return;
    }
    boolean ours = false;
    if (audience != null && audience.isTextual()) {
      ours = config.audiences().contains(audience.textValue());
    } else if (audience != null && audience.isArray()) {
      for (JsonNode item : audience) {
        ours |= item.isTextual() && config.audiences().contains(item.textValue());
      }
    }
    if (!ours) {
      throw new RefusedException(
          Reason.AUDIENCE,
          audience == null
              ? "aud: missing (expected: this service's)"
              : "aud: meant for another service");
    }
  }

  /** A NumericDate: seconds since 1970, fractions allowed. */
  private static @Nullable Instant date(ObjectNode claims, String name) throws RefusedException {
    JsonNode node = claims.get(name);
    if (node == null) {
      return null;
    }
    double seconds = node.isNumber() ? node.doubleValue() : Double.NaN;
    // what doesn't fit a long of milliseconds is no date of anybody's
    if (!(Math.abs(seconds) < (double) Long.MAX_VALUE / MILLIS)) {
      throw new RefusedException(Reason.CLAIMS, name + ": not a date (expected: a number)");
    }
    try {
      return Instant.ofEpochMilli((long) Math.floor(seconds * MILLIS));
    } catch (DateTimeException e) {
      throw new RefusedException(Reason.CLAIMS, name + ": not a date (expected: a number)");
    }
  }
}
