package dev.rowcast.config;

import java.util.List;

/**
 * Who there is: an entry of {@code roles}.
 *
 * @param id its name in keys and rules
 * @param capabilities {@code events.read}, which every role has, and {@code events.manage}
 */
public record RoleConfig(String id, List<String> capabilities) {
  /** The role that may manage and, unless ruled otherwise, sees all. */
  public static final String ADMIN = "admin";

  public RoleConfig {
    capabilities = List.copyOf(capabilities);
  }
}
