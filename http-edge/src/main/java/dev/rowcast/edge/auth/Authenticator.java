package dev.rowcast.edge.auth;

import dev.rowcast.edge.jwt.JsonWebTokens;
import dev.rowcast.edge.jwt.Judgement;
import dev.rowcast.edge.jwt.Judgement.Accepted;
import dev.rowcast.edge.jwt.Judgement.Reason;
import dev.rowcast.edge.jwt.Judgement.Refused;
import dev.rowcast.keys.ApiKey;
import dev.rowcast.keys.ApiKeys;
import dev.rowcast.problem.Problem;
import dev.rowcast.problem.ProblemException;
import dev.rowcast.problem.ProblemType;
import java.time.Clock;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Says who asks, from what they show: an API key, a JWT, or a stream token that came from either.
 * Thread-safe.
 */
public final class Authenticator {
  private static final Pattern BEARER =
      Pattern.compile("Bearer +([^ ]+) *", Pattern.CASE_INSENSITIVE);

  private final ApiKeys keys;
  private final StreamTokens tokens;
  private final Supplier<Access> access;
  private final Clock clock;

  /**
   * @param access the configuration's part as it is now
   */
  public Authenticator(ApiKeys keys, StreamTokens tokens, Supplier<Access> access, Clock clock) {
    this.keys = keys;
    this.tokens = tokens;
    this.access = access;
    this.clock = clock;
  }

  /**
   * Who asks by an API key or a JWT, which is what everything but streams takes.
   *
   * @param authorization the {@code Authorization} header; null where there is none
   * @throws ProblemException {@code UNAUTHENTICATED}; {@code FORBIDDEN} for a role that there isn't
   *     (any more); {@code UNAVAILABLE} where a JWT's issuer can't be asked for its keys
   */
  public Caller byBearer(@Nullable String authorization) {
    String shown = bearer(authorization);
    if (shown == null) {
      throw unauthenticated("Authorization: none (expected: Bearer and an API key or a JWT)");
    }
    if (StreamTokens.looksLikeOne(shown)) {
      throw unauthenticated(
          "A stream token only opens streams (expected: Bearer and an API key or a JWT)");
    }
    return admitted(credential(shown), Narrowing.NONE);
  }

  /**
   * Who opens a stream: by an API key, a JWT or a stream token in the header, or by a stream token
   * in the query. The header is looked at first.
   *
   * @throws ProblemException as {@link #byBearer}
   */
  public Caller byBearerOrToken(@Nullable String authorization, @Nullable String token) {
    String shown = authorization == null ? token : bearer(authorization);
    if (shown == null) {
      throw unauthenticated(
          "No credential (expected: Authorization: Bearer and an API key, a JWT or a stream token,"
              + " or the parameter token)");
    }
    if (StreamTokens.looksLikeOne(shown)) {
      return redeemed(shown);
    }
    if (authorization == null) {
      throw unauthenticated("token: not a stream token (expected: one)");
    }
    return admitted(credential(shown), Narrowing.NONE);
  }

  /**
   * A credential as it is now; empty once it is revoked, expired or no longer believed. Doesn't
   * block.
   */
  public Optional<Credential> current(Credential credential) {
    if (credential instanceof Credential.OfKey of) {
      return valid(keys.find(of.key().id())).map(Credential.OfKey::new);
    }
    Credential.OfJwt of = (Credential.OfJwt) credential;
    return access.get().tokens().judgeAgain(of.token()) instanceof Accepted now
        ? Optional.of(new Credential.OfJwt(now))
        : Optional.empty();
  }

  private Credential credential(String shown) {
    Optional<ApiKey> key = valid(keys.authenticate(shown));
    if (key.isPresent()) {
      return new Credential.OfKey(key.get());
    }
    JsonWebTokens issuers = access.get().tokens();
    if (issuers.takes(shown)) {
      return believed(issuers.judge(shown));
    }
    throw unauthenticated("The credential is unknown, revoked or expired");
  }

  private Caller redeemed(String token) {
    StreamTokens.Claims claims =
        tokens
            .verify(token)
            .orElseThrow(() -> unauthenticated("The stream token is unknown or expired"));
    String jwt = claims.jwt();
    Credential credential =
        jwt != null
            ? believed(access.get().tokens().judge(jwt))
            : valid(keys.find(String.valueOf(claims.keyId())))
                .map(Credential.OfKey::new)
                .orElseThrow(() -> unauthenticated("The token's key is revoked or expired"));
    return admitted(credential, claims.narrowing());
  }

  private static Credential believed(Judgement judgement) {
    if (judgement instanceof Accepted token) {
      return new Credential.OfJwt(token);
    }
    if (judgement instanceof Refused refused) {
      ProblemType type =
          refused.reason() == Reason.ROLE ? ProblemType.FORBIDDEN : ProblemType.UNAUTHENTICATED;
      throw new ProblemException(type, refused.detail());
    }
    throw new ProblemException(
        ProblemType.UNAVAILABLE, "The keys of the token's issuer can't be had now; try again");
  }

  private Caller admitted(Credential credential, Narrowing narrowing) {
    String role = credential.identity().role();
    if (!access.get().managers().knows(role)) {
      throw new ProblemException(
          ProblemType.FORBIDDEN, "The credential's role is none of this service's (any more)");
    }
    return new Caller(credential, narrowing);
  }

  private Optional<ApiKey> valid(Optional<ApiKey> key) {
    Optional<ApiKey> valid = key.filter(found -> !found.expiredAt(clock.instant()));
    valid.ifPresent(used -> keys.used(used.id()));
    return valid;
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
