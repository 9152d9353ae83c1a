package dev.rowcast.config;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How callers prove who they are: {@code auth}. API keys are data, made over HTTP; this is what has
 * to be there before the first of them, and whose tokens are taken beside them.
 *
 * @param adminKey an administrator's key that exists from the start; null for none; never logged
 * @param jwt whose JWTs are taken; empty for nobody's
 */
public record AuthConfig(@Nullable Secret adminKey, List<JwtConfig> jwt) {
  /** Nothing configured. */
  public static final AuthConfig NONE = new AuthConfig(null, List.of());

  public AuthConfig {
    jwt = List.copyOf(jwt);
  }
}
