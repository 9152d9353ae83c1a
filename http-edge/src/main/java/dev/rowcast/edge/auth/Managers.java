package dev.rowcast.edge.auth;

import dev.rowcast.config.RoleConfig;
import dev.rowcast.policy.Identity;
import dev.rowcast.policy.Scope;
import dev.rowcast.problem.ProblemException;
import dev.rowcast.problem.ProblemType;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Who has {@code events.manage}, and which roles there are. Immutable; thread-safe. */
public final class Managers {
  private static final String MANAGE = "events.manage";

  private final Set<String> roles;
  private final Set<String> managing;

  public Managers(List<RoleConfig> roles) {
    this.roles = roles.stream().map(RoleConfig::id).collect(Collectors.toCollection(TreeSet::new));
    this.roles.add(RoleConfig.ADMIN);
    managing =
        roles.stream()
            .filter(role -> role.capabilities().contains(MANAGE))
            .map(RoleConfig::id)
            .collect(Collectors.toCollection(TreeSet::new));
    managing.add(RoleConfig.ADMIN);
  }

  /** The roles' ids, in order. */
  public Set<String> roles() {
    return Set.copyOf(roles);
  }

  /** Whether the configuration has a role. */
  public boolean knows(String role) {
    return roles.contains(role);
  }

  /**
   * Lets only those pass who may manage. A scoped credential may not, whatever its role: it could
   * give itself what its scope withholds.
   *
   * @throws ProblemException {@code FORBIDDEN}
   */
  public void require(Identity identity) {
    if (!managing.contains(identity.role())) {
      throw new ProblemException(
          ProblemType.FORBIDDEN,
          "role: '" + identity.role() + "' (expected: one with " + MANAGE + ")");
    }
    if (!identity.scope().equals(Scope.ALL)) {
      throw new ProblemException(
          ProblemType.FORBIDDEN, "The key is scoped (expected: one without a scope)");
    }
  }

  /**
   * Lets only an administrator make another one.
   *
   * @throws ProblemException {@code FORBIDDEN}
   */
  public void requireToGrant(Identity identity, String role) {
    if (role.equals(RoleConfig.ADMIN) && !identity.role().equals(RoleConfig.ADMIN)) {
      throw new ProblemException(ProblemType.FORBIDDEN, "role: 'admin' is given by an admin only");
    }
  }
}
