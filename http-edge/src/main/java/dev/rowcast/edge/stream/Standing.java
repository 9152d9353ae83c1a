package dev.rowcast.edge.stream;

import dev.rowcast.edge.auth.Access;
import dev.rowcast.edge.auth.Authenticator;
import dev.rowcast.edge.auth.Caller;
import dev.rowcast.edge.auth.Credential;
import dev.rowcast.policy.Identity;
import dev.rowcast.policy.Policy;
import dev.rowcast.policy.View;
import java.time.Clock;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Whether what a stream was opened by still holds: its credential, what that stands for, and the
 * policy that judged it. Used by one thread at a time.
 */
final class Standing {
  private final Authenticator authenticator;
  private final Supplier<Access> access;
  private final Clock clock;
  private final Identity identity;
  private final View view;
  private Credential credential;
  private @Nullable Policy judged;

  Standing(
      Authenticator authenticator, Supplier<Access> access, Clock clock, Caller caller, View view) {
    this.authenticator = authenticator;
    this.access = access;
    this.clock = clock;
    this.credential = caller.credential();
    this.identity = caller.identity();
    this.view = view;
  }

  /**
   * Why the stream has to end; null as long as it may go on. Doesn't block.
   *
   * @return {@code expired}, {@code revoked}, {@code role-removed}, {@code role-changed}, {@code
   *     rights-changed} or {@code policy-changed}
   */
  @Nullable String lost() {
    Access now = access.get();
    if (!now.managers().knows(identity.role())) {
      return "role-removed";
    }
    Optional<Credential> current = authenticator.current(credential);
    if (current.isEmpty()) {
      return credential.expiredAt(clock.instant()) ? "expired" : "revoked";
    }
    credential = current.get();
    if (!credential.identity().role().equals(identity.role())) {
      return "role-changed";
    }
    if (!credential.identity().equals(identity)) {
      return "rights-changed";
    }
    if (now.policy() != judged) {
      // a view is compared once per policy, not once per heartbeat
      judged = now.policy();
      return judged.view(identity).equals(view) ? null : "policy-changed";
    }
    return null;
  }
}
