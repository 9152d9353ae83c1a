package dev.rowcast.edge.auth;

import dev.rowcast.keys.ApiKey;
import dev.rowcast.policy.Identity;

/**
 * Who asks: a key that was valid just now.
 *
 * @param key the key that was shown, or that the token came from
 * @param narrowing what the token narrows it to; none for the key itself
 */
public record Caller(ApiKey key, Narrowing narrowing) {
  public Identity identity() {
    return key.identity();
  }
}
