package dev.rowcast.policy;

import static java.util.Objects.requireNonNull;

import java.util.Map;

/**
 * Who asks, as established by a credential.
 *
 * @param subject whom the credential speaks for
 * @param role the role's id in the configuration
 * @param claims what is known of them beside, by name: strings, numbers ({@link Long}, {@link
 *     java.math.BigDecimal}), {@link Boolean}s and {@link java.util.List}s of these
 * @param scope what the credential itself narrows
 */
public record Identity(String subject, String role, Map<String, Object> claims, Scope scope) {
  public Identity {
    requireNonNull(subject, "subject");
    requireNonNull(role, "role");
    requireNonNull(scope, "scope");
    claims = Map.copyOf(claims);
  }
}
