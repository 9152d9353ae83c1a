package dev.rowcast.keys;

import dev.rowcast.policy.Identity;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * An API key without its secret.
 *
 * @param id what it is listed and revoked by
 * @param name what its owner calls it
 * @param identity whom it speaks for, as which role, with which claims and scope
 * @param created when
 * @param expires from when on it is refused; null for never
 */
public record ApiKey(
    String id, String name, Identity identity, Instant created, @Nullable Instant expires) {

  public boolean expiredAt(Instant now) {
    return expires != null && !now.isBefore(expires);
  }
}
