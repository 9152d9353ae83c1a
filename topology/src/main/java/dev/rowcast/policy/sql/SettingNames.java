package dev.rowcast.policy.sql;

import java.util.List;

/** Which claims a setting may stand for. */
public final class SettingNames {
  private static final String PREFIX = "provisa.";
  private static final String USER = "user_";

  private SettingNames() {}

  /**
   * Its exact name, the name without {@code provisa.}, and that without {@code user_}; in order.
   */
  public static List<String> of(String setting) {
    String bare = setting.startsWith(PREFIX) ? setting.substring(PREFIX.length()) : setting;
    String shortest = bare.startsWith(USER) ? bare.substring(USER.length()) : bare;
    return List.of(setting, bare, shortest).stream().distinct().toList();
  }
}
