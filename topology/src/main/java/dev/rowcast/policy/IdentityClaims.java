package dev.rowcast.policy;

import dev.rowcast.policy.eval.ClaimSource;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The claims of an identity; {@code sub} and {@code role} are always there. */
record IdentityClaims(Identity identity) implements ClaimSource {

  @Override
  public @Nullable Object claim(String path) {
    return switch (path) {
      case "sub" -> identity.subject();
      case "role" -> identity.role();
      default -> at(identity.claims(), path);
    };
  }

  /** The member of that very name, else of maps by the parts before dots. */
  private static @Nullable Object at(Map<?, ?> claims, String path) {
    Object exact = claims.get(path);
    int dot = path.indexOf('.');
    while (exact == null && dot > 0) {
      if (claims.get(path.substring(0, dot)) instanceof Map<?, ?> inner) {
        exact = at(inner, path.substring(dot + 1));
      }
      dot = path.indexOf('.', dot + 1);
    }
    return exact;
  }
}
