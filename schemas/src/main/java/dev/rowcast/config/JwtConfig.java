package dev.rowcast.config;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Whose JWTs are taken, and what they say: an entry of {@code auth.jwt}. No two entries have an
 * issuer in common, so that a token's {@code iss} says which one judges it.
 *
 * @param keys what verifies signatures
 * @param issuers what {@code iss} may be; never empty
 * @param audiences what {@code aud} must name one of; empty for any
 * @param algorithms how a token may be signed; of one family, that of {@code keys}; never empty
 * @param roleClaim the dotted path of the role
 * @param defaultRole the role of tokens that have none; null to refuse them
 * @param subjectClaim the dotted path of the subject
 * @param claims by the name in rules, the dotted path of a claim; null for all of the token's, each
 *     by its own path
 * @param leeway how far {@code nbf} and {@code iat} may lie ahead of this node's clock; {@code exp}
 *     is never stretched
 * @param maxBytes how long a token may be
 */
public record JwtConfig(
    JwtKeys keys,
    List<String> issuers,
    List<String> audiences,
    Set<JwtAlgorithm> algorithms,
    String roleClaim,
    @Nullable String defaultRole,
    String subjectClaim,
    @Nullable Map<String, String> claims,
    Duration leeway,
    int maxBytes) {
  public JwtConfig {
    issuers = List.copyOf(issuers);
    audiences = List.copyOf(audiences);
    algorithms = Set.copyOf(algorithms);
    claims = claims == null ? null : Map.copyOf(claims);
  }

  /** What verifies signatures. */
  public sealed interface JwtKeys {
    /**
     * Public keys that the issuer publishes (RFC 7517).
     *
     * @param url where
     * @param refresh how old they may get before they are fetched again in the background
     */
    record Published(URI url, Duration refresh) implements JwtKeys {}

    /**
     * A secret that the issuer and we have.
     *
     * @param secret its bytes in UTF-8 are the HMAC key; never logged
     */
    record Shared(Secret secret) implements JwtKeys {}
  }
}
