package dev.rowcast.edge.auth;

import dev.rowcast.policy.Identity;

/**
 * Who asks: a credential that was valid just now.
 *
 * @param credential what was shown, or what the stream token came from
 * @param narrowing what the stream token narrows it to; none for the credential itself
 */
public record Caller(Credential credential, Narrowing narrowing) {
  public Identity identity() {
    return credential.identity();
  }
}
