package dev.rowcast.policy;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Claims out of JSON, for identities that rules are only tried out with. Stateless. */
public final class Claims {
  private static final ObjectMapper JSON =
      JsonMapper.builder()
          .enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
          .build();

  private static final String SUBJECT = "sub";

  private Claims() {}

  /**
   * Somebody of a role, with all that it sees: {@code analyst}, or {@code
   * analyst:{"sub":"u-7","region":"emea"}}. The claim {@code sub} is the subject, else it is empty.
   *
   * @throws IllegalArgumentException for another text, without repeating it
   */
  public static Identity identity(String text) {
    int colon = text.indexOf(":{");
    String role = colon < 0 ? text : text.substring(0, colon);
    if (role.isBlank()) {
      throw new IllegalArgumentException("no role");
    }
    Map<String, Object> claims = colon < 0 ? Map.of() : parse(text.substring(colon + 1));
    String subject = claims.get(SUBJECT) instanceof String known ? known : "";
    return new Identity(subject, role, claims, Scope.ALL);
  }

  /**
   * The claims of a JSON object; members that are null are left out, as in a JWT.
   *
   * @throws IllegalArgumentException for what isn't an object, without repeating it
   */
  public static Map<String, Object> parse(String json) {
    try {
      JsonNode tree = JSON.readTree(json);
      if (tree.isObject()) {
        return members(tree);
      }
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("not JSON, or a member twice", e);
    }
    throw new IllegalArgumentException("no JSON object");
  }

  private static Map<String, Object> members(JsonNode object) {
    Map<String, Object> members = new HashMap<>();
    object
        .properties()
        .forEach(
            member -> {
              if (!member.getValue().isNull()) {
                members.put(member.getKey(), value(member.getValue()));
              }
            });
    return members;
  }

  private static Object value(JsonNode node) {
    if (node.isTextual()) {
      return node.textValue();
    }
    if (node.isBoolean()) {
      return node.booleanValue();
    }
    if (node.isIntegralNumber() && node.canConvertToLong()) {
      return node.longValue();
    }
    if (node.isNumber()) {
      return node.decimalValue();
    }
    if (node.isObject()) {
      return members(node);
    }
    List<Object> items = new ArrayList<>();
    node.forEach(
        item -> {
          if (!item.isNull()) {
            items.add(value(item));
          }
        });
    return List.copyOf(items);
  }
}
