package dev.rowcast.edge.stream;

import dev.rowcast.edge.auth.Authenticator;
import dev.rowcast.edge.auth.Caller;
import dev.rowcast.keys.ApiKey;
import dev.rowcast.policy.Policy;
import dev.rowcast.policy.View;
import java.time.Clock;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Whether what a stream was opened by still holds: its key, what the key stands for, and the policy
 * that judged it. Used by one thread at a time.
 */
final class Standing {
  private final Authenticator authenticator;
  private final Supplier<Policy> policies;
  private final Clock clock;
  private final ApiKey key;
  private final View view;
  private @Nullable Policy judged;

  Standing(
      Authenticator authenticator,
      Supplier<Policy> policies,
      Clock clock,
      Caller caller,
      View view) {
    this.authenticator = authenticator;
    this.policies = policies;
    this.clock = clock;
    this.key = caller.key();
    this.view = view;
  }

  /** Why the stream has to end; null as long as it may go on. */
  @Nullable String lost() {
    Optional<ApiKey> now = authenticator.current(key);
    if (now.isEmpty()) {
      return key.expiredAt(clock.instant()) ? "expired" : "revoked";
    }
    if (!now.get().identity().role().equals(key.identity().role())) {
      return "role-changed";
    }
    if (!now.get().identity().equals(key.identity())) {
      return "rights-changed";
    }
    Policy policy = policies.get();
    if (policy != judged) {
      // a view is compared once per policy, not once per heartbeat
      judged = policy;
      return policy.view(key.identity()).equals(view) ? null : "rights-changed";
    }
    return null;
  }
}
