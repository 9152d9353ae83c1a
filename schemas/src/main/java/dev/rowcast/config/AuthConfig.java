package dev.rowcast.config;

import org.jspecify.annotations.Nullable;

/**
 * How callers prove who they are: {@code auth}. API keys are data, made over HTTP; this is what has
 * to be there before the first of them.
 *
 * @param adminKey an administrator's key that exists from the start; null for none; never logged
 */
public record AuthConfig(@Nullable Secret adminKey) {
  /** Nothing configured. */
  public static final AuthConfig NONE = new AuthConfig(null);
}
