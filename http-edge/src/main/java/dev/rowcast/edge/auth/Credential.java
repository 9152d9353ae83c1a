package dev.rowcast.edge.auth;

import dev.rowcast.edge.jwt.Judgement.Accepted;
import dev.rowcast.keys.ApiKey;
import dev.rowcast.policy.Identity;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** What somebody proved who they are with, directly or by a stream token that came from it. */
public sealed interface Credential {

  /** Tells credentials apart, for limits; not secret. */
  String id();

  Identity identity();

  /** From when on it is refused; null for never. */
  @Nullable Instant expires();

  default boolean expiredAt(Instant now) {
    Instant end = expires();
    return end != null && !now.isBefore(end);
  }

  /** An API key. */
  record OfKey(ApiKey key) implements Credential {
    @Override
    public String id() {
      return key.id();
    }

    @Override
    public Identity identity() {
      return key.identity();
    }

    @Override
    public @Nullable Instant expires() {
      return key.expires();
    }
  }

  /** A JWT. All tokens of a subject count as one credential: they are renewed every few minutes. */
  record OfJwt(Accepted token) implements Credential {
    @Override
    public String id() {
      return "jwt " + identity().subject();
    }

    @Override
    public Identity identity() {
      return token.identity();
    }

    @Override
    public Instant expires() {
      return token.expires();
    }
  }
}
