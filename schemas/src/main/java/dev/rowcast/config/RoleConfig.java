package dev.rowcast.config;

import java.util.List;

/**
 * Who there is: an entry of {@code roles}.
 *
 * @param id its name in keys and rules
 * @param capabilities {@code events.read}, which every role has, and {@code events.manage}
 * @param inherits the roles whose rows and columns it sees, too; capabilities are not inherited
 */
public record RoleConfig(String id, List<String> capabilities, List<String> inherits) {
  /** The role that may manage and, unless ruled otherwise, sees all. */
  public static final String ADMIN = "admin";

  public RoleConfig {
    capabilities = List.copyOf(capabilities);
    inherits = List.copyOf(inherits);
  }

  /** A role that inherits none. */
  public RoleConfig(String id, List<String> capabilities) {
    this(id, capabilities, List.of());
  }
}
