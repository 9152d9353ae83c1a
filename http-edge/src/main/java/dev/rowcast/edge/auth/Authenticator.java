package dev.rowcast.edge.auth;

import dev.rowcast.keys.ApiKey;
import dev.rowcast.keys.ApiKeys;
import dev.rowcast.problem.Problem;
import dev.rowcast.problem.ProblemException;
import dev.rowcast.problem.ProblemType;
import java.time.Clock;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Says who asks, from what they show. Thread-safe. */
public final class Authenticator {
  private static final Pattern BEARER =
      Pattern.compile("Bearer +([^ ]+) *", Pattern.CASE_INSENSITIVE);

  private final ApiKeys keys;
  private final StreamTokens tokens;
  private final Clock clock;

  public Authenticator(ApiKeys keys, StreamTokens tokens, Clock clock) {
    this.keys = keys;
    this.tokens = tokens;
    this.clock = clock;
  }

  /**
   * Who asks by an API key, which is what everything but streams takes.
   *
   * @param authorization the {@code Authorization} header; null where there is none
   * @throws ProblemException {@code UNAUTHENTICATED}
   */
  public Caller byKey(@Nullable String authorization) {
    String secret = bearer(authorization);
    if (secret == null) {
      throw unauthenticated("Authorization: none (expected: Bearer and an API key)");
    }
    return keys.authenticate(secret)
        .filter(this::isValid)
        .map(key -> new Caller(key, Narrowing.NONE))
        .orElseThrow(
            () ->
                unauthenticated(
                    StreamTokens.looksLikeOne(secret)
                        ? "A stream token only opens streams (expected: Bearer and an API key)"
                        : "The API key is unknown, revoked or expired"));
  }

  /**
   * Who opens a stream: by an API key or a stream token in the header, or by a token in the query.
   * The header is looked at first.
   *
   * @throws ProblemException {@code UNAUTHENTICATED}
   */
  public Caller byKeyOrToken(@Nullable String authorization, @Nullable String token) {
    String shown = authorization == null ? token : bearer(authorization);
    if (shown == null) {
      throw unauthenticated(
          "No credential (expected: Authorization: Bearer and an API key or a stream token, or the"
              + " parameter token)");
    }
    Optional<Caller> caller = redeem(shown);
    if (caller.isEmpty() && authorization != null) {
      caller =
          keys.authenticate(shown)
              .filter(this::isValid)
              .map(key -> new Caller(key, Narrowing.NONE));
    }
    return caller.orElseThrow(
        () -> unauthenticated("The credential is unknown, revoked or expired"));
  }

  /** The key as it is now; empty once it is revoked or expired. */
  public Optional<ApiKey> current(ApiKey key) {
    return keys.find(key.id()).filter(this::isValid);
  }

  private Optional<Caller> redeem(String token) {
    return tokens
        .verify(token)
        .flatMap(
            claims ->
                keys.find(claims.keyId())
                    .filter(this::isValid)
                    .map(key -> new Caller(key, claims.narrowing())));
  }

  private boolean isValid(ApiKey key) {
    return !key.expiredAt(clock.instant());
  }

  private static @Nullable String bearer(@Nullable String authorization) {
    if (authorization == null) {
      return null;
    }
    Matcher matcher = BEARER.matcher(authorization);
    return matcher.matches() ? matcher.group(1) : null;
  }

  private static ProblemException unauthenticated(String detail) {
    return new Problem(ProblemType.UNAUTHENTICATED, detail).asException();
  }
}
