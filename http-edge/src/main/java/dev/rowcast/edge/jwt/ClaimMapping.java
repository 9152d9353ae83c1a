package dev.rowcast.edge.jwt;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.rowcast.config.JwtConfig;
import dev.rowcast.edge.jwt.Judgement.Reason;
import dev.rowcast.policy.Identity;
import dev.rowcast.policy.Scope;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Whom a token speaks for: its claims as the configuration reads them. Immutable; thread-safe. */
final class ClaimMapping {
  /** Claims about the token, not about whom it speaks for. */
  private static final Set<String> REGISTERED = Set.of("iss", "aud", "exp", "nbf", "iat", "jti");

  private static final int MAX_CLAIMS = 256;

  /** More than a double has: 1e999999999 is short to write and long to reckon with. */
  private static final int MAX_SCALE = 400;

  private final JwtConfig config;
  private final Set<String> roles;

  /**
   * @param roles the ids of all roles
   */
  ClaimMapping(JwtConfig config, Set<String> roles) {
    this.config = config;
    this.roles = Set.copyOf(roles);
  }

  /**
   * @throws RefusedException if it doesn't say who, or as which role of ours
   */
  Identity identity(ObjectNode token) throws RefusedException {
    Map<String, Object> claims = new HashMap<>();
    if (config.claims() == null) {
      flatten("", token, claims);
    } else {
      config.claims().forEach((name, path) -> put(claims, name, find(token, path)));
    }
    return new Identity(subject(token), role(token), claims, Scope.ALL);
  }

  private String subject(ObjectNode token) throws RefusedException {
    JsonNode subject = find(token, config.subjectClaim());
    if (subject != null && subject.isIntegralNumber()) {
      return subject.asText();
    }
    if (subject == null || !subject.isTextual() || subject.textValue().isEmpty()) {
      throw new RefusedException(
          Reason.CLAIMS, config.subjectClaim() + ": missing or not a text (expected: the subject)");
    }
    return subject.textValue();
  }

  private String role(ObjectNode token) throws RefusedException {
    JsonNode role = find(token, config.roleClaim());
    if (role == null || role.isNull()) {
      if (config.defaultRole() == null) {
        throw new RefusedException(
            Reason.CLAIMS, config.roleClaim() + ": missing (expected: a role)");
      }
      return config.defaultRole();
    }
    List<String> ours = new ArrayList<>();
    if (role.isTextual() && roles.contains(role.textValue())) {
      ours.add(role.textValue());
    } else if (role.isArray()) {
      for (JsonNode item : role) {
        if (item.isTextual() && roles.contains(item.textValue())) {
          ours.add(item.textValue());
        }
      }
    }
    // of several we'd have to pick one, and whichever it was would be a guess
    if (ours.size() != 1) {
      throw new RefusedException(
          Reason.ROLE,
          config.roleClaim()
              + ": "
              + (ours.isEmpty() ? "no role" : "several roles")
              + " of this service (expected: one)");
    }
    return ours.get(0);
  }

  /**
   * What stands at a dotted path. A member whose own name has dots in it goes before: issuers name
   * claims by URLs.
   */
  static @Nullable JsonNode find(JsonNode node, String path) {
    if (node.has(path)) {
      return node.get(path);
    }
    for (int dot = path.lastIndexOf('.'); dot > 0; dot = path.lastIndexOf('.', dot - 1)) {
      JsonNode child = node.get(path.substring(0, dot));
      JsonNode found = child == null ? null : find(child, path.substring(dot + 1));
      if (found != null) {
        return found;
      }
    }
    return null;
  }

  private static void flatten(String prefix, ObjectNode object, Map<String, Object> claims)
      throws RefusedException {
    for (Map.Entry<String, JsonNode> member : object.properties()) {
      String name = prefix + member.getKey();
      if (prefix.isEmpty() && REGISTERED.contains(name)) {
        continue;
      }
      if (member.getValue() instanceof ObjectNode nested) {
        flatten(name + ".", nested, claims);
      } else if (put(claims, name, member.getValue()) != null) {
        throw new RefusedException(Reason.CLAIMS, "two claims with one path");
      }
      if (claims.size() > MAX_CLAIMS) {
        throw new RefusedException(Reason.CLAIMS, "more than " + MAX_CLAIMS + " claims");
      }
    }
  }

  /** Takes what rules can read; anything else is as good as absent. */
  private static @Nullable Object put(
      Map<String, Object> claims, String name, @Nullable JsonNode node) {
    Object value = node == null ? null : value(node);
    return value == null ? null : claims.put(name, value);
  }

  private static @Nullable Object value(JsonNode node) {
    if (!node.isArray()) {
      return single(node);
    }
    List<Object> items = new ArrayList<>();
    for (JsonNode item : node) {
      Object value = single(item);
      if (value == null) {
        return null; // a list that we'd understand in part could mean more than it says
      }
      items.add(value);
    }
    return List.copyOf(items);
  }

  private static @Nullable Object single(JsonNode node) {
    if (node.isTextual()) {
      return node.textValue();
    }
    if (node.isBoolean()) {
      return node.booleanValue();
    }
    // not boxed by a conditional expression, which would make both of them one type
    if (node.isIntegralNumber() && node.canConvertToLong()) {
      return node.longValue();
    }
    if (!node.isNumber() || Math.abs((long) node.decimalValue().scale()) > MAX_SCALE) {
      return null;
    }
    return node.decimalValue();
  }
}
