package dev.rowcast.keys;

import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.rowcast.event.TableId;
import dev.rowcast.policy.Identity;
import dev.rowcast.policy.Scope;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The form of the {@code keys} topic: the record's key is the API key's id, its value a JSON object
 * with the members {@link #MEMBERS}, all of them always there.
 *
 * <p>Reading is strict, since every tolerance would be a grant: a missing {@code tables} must not
 * read as "no limit", and a member that isn't known may be a limit that a later version made.
 * Stateless; thread-safe.
 */
final class ApiKeyCodec {
  static final Set<String> MEMBERS =
      Set.of(
          "id", "name", "hash", "role", "subject", "claims", "tables", "fields", "created",
          "expires");

  private static final Set<String> TABLE_MEMBERS = Set.of("schema", "table");
  private static final Set<String> FIELDS_MEMBERS = Set.of("schema", "table", "columns");
  private static final Pattern HASH = Pattern.compile("[0-9a-f]{64}");
  private static final JsonMapper JSON =
      JsonMapper.builder()
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
          .build();

  private ApiKeyCodec() {}

  /**
   * @throws IllegalArgumentException if a claim is something else than {@link Identity} allows
   */
  static byte[] encode(StoredKey stored) {
    ApiKey key = stored.key();
    Identity identity = key.identity();
    ObjectNode node = JSON.createObjectNode();
    node.put("id", key.id()).put("name", key.name()).put("hash", stored.hash());
    node.put("role", identity.role()).put("subject", identity.subject());
    ObjectNode claims = node.putObject("claims");
    identity.claims().forEach((name, value) -> claims.set(name, claim(name, value)));
    Scope scope = identity.scope();
    if (scope.tables() == null) {
      node.putNull("tables");
    } else {
      ArrayNode tables = node.putArray("tables");
      scope.tables().forEach(table -> put(tables.addObject(), table));
    }
    ArrayNode fields = node.putArray("fields");
    scope
        .fields()
        .forEach(
            (table, columns) ->
                columns.forEach(put(fields.addObject(), table).putArray("columns")::add));
    node.put("created", key.created().toString());
    node.put("expires", key.expires() == null ? null : key.expires().toString());
    try {
      return JSON.writeValueAsBytes(node);
    } catch (IOException e) {
      throw new UncheckedIOException(e); // a tree of plain values
    }
  }

  /**
   * @param id the record's key, which the value must name
   * @throws IllegalArgumentException for whatever {@link #encode} would not have written
   */
  static StoredKey decode(String id, byte[] value) {
    JsonNode node;
    try {
      node = JSON.readTree(value);
    } catch (IOException e) {
      throw new IllegalArgumentException("not JSON"); // its message would quote the record
    }
    requireMembers(node, MEMBERS);
    String hash = text(node, "hash");
    if (!text(node, "id").equals(id) || !HASH.matcher(hash).matches()) {
      throw new IllegalArgumentException("id or hash (expected: the record's key; 64 hex digits)");
    }
    Identity identity =
        new Identity(
            text(node, "subject"),
            text(node, "role"),
            claims(node.get("claims")),
            new Scope(tables(node.get("tables")), fields(node.get("fields"))));
    Instant expires = node.get("expires").isNull() ? null : instant(node, "expires");
    return new StoredKey(
        new ApiKey(id, text(node, "name"), identity, instant(node, "created"), expires), hash);
  }

  private static ObjectNode put(ObjectNode node, TableId table) {
    return node.put("schema", table.schema()).put("table", table.name());
  }

  private static JsonNode claim(String name, Object value) {
    if (value instanceof String text) {
      return JSON.getNodeFactory().textNode(text);
    } else if (value instanceof Long number) {
      return JSON.getNodeFactory().numberNode(number);
    } else if (value instanceof BigDecimal number) {
      return JSON.getNodeFactory().numberNode(number);
    } else if (value instanceof Boolean bool) {
      return JSON.getNodeFactory().booleanNode(bool);
    } else if (value instanceof List<?> list) {
      ArrayNode array = JSON.createArrayNode();
      list.forEach(element -> array.add(claim(name, element)));
      return array;
    }
    throw new IllegalArgumentException(
        "claim "
            + name
            + ": "
            + value.getClass().getSimpleName()
            + " (expected: String, Long, BigDecimal, Boolean, List)");
  }

  private static Map<String, Object> claims(JsonNode node) {
    require(node.isObject(), "claims", "an object");
    Map<String, Object> claims = new HashMap<>();
    node.properties().forEach(claim -> claims.put(claim.getKey(), claim(claim.getValue())));
    return claims;
  }

  private static Object claim(JsonNode node) {
    if (node.isArray()) {
      List<Object> list = new ArrayList<>();
      node.forEach(element -> list.add(claim(element)));
      return List.copyOf(list);
    }
    require(node.isTextual() || node.isNumber() || node.isBoolean(), "claims", "scalars, arrays");
    if (node.isTextual()) {
      return node.textValue();
    } else if (node.isBoolean()) {
      return node.booleanValue();
    }
    // not boxed by a conditional expression, which would make both of them one type
    if (node.isIntegralNumber() && node.canConvertToLong()) {
      return node.longValue();
    }
    return node.decimalValue();
  }

  private static @Nullable Set<TableId> tables(JsonNode node) {
    if (node.isNull()) {
      return null;
    }
    require(node.isArray(), "tables", "null or an array");
    Set<TableId> tables = new HashSet<>();
    for (JsonNode table : node) {
      requireMembers(table, TABLE_MEMBERS);
      tables.add(table(table));
    }
    return tables;
  }

  private static Map<TableId, Set<String>> fields(JsonNode node) {
    require(node.isArray(), "fields", "an array");
    Map<TableId, Set<String>> fields = new HashMap<>();
    for (JsonNode table : node) {
      requireMembers(table, FIELDS_MEMBERS);
      require(table.get("columns").isArray(), "columns", "an array");
      Set<String> columns = new HashSet<>();
      for (JsonNode column : table.get("columns")) {
        require(column.isTextual(), "columns", "names");
        columns.add(column.textValue());
      }
      require(fields.put(table(table), Set.copyOf(columns)) == null, "fields", "a table once");
    }
    return fields;
  }

  private static TableId table(JsonNode node) {
    return new TableId(text(node, "schema"), text(node, "table"));
  }

  private static void requireMembers(JsonNode node, Set<String> members) {
    Set<String> names = new HashSet<>();
    node.fieldNames().forEachRemaining(names::add);
    require(node.isObject() && names.equals(members), "members " + names, "" + members);
  }

  private static String text(JsonNode node, String member) {
    require(node.get(member).isTextual(), member, "a string");
    return node.get(member).textValue();
  }

  private static Instant instant(JsonNode node, String member) {
    try {
      return Instant.parse(text(node, member));
    } catch (DateTimeException e) {
      throw new IllegalArgumentException(member + " (expected: an ISO-8601 instant)", e);
    }
  }

  private static void require(boolean holds, String what, String expected) {
    if (!holds) {
      throw new IllegalArgumentException(what + " (expected: " + expected + ")");
    }
  }
}
