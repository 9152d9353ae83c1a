package dev.rowcast.edge.keys;

import com.fasterxml.jackson.databind.JsonNode;
import dev.rowcast.catalog.Catalog;
import dev.rowcast.edge.request.JsonBody;
import dev.rowcast.edge.request.TableNames;
import dev.rowcast.event.Column;
import dev.rowcast.event.TableId;
import dev.rowcast.keys.ApiKey;
import dev.rowcast.policy.Identity;
import dev.rowcast.policy.Scope;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** A key as JSON, both ways. Thread-safe. */
public final class KeyJson {
  static final String[] MEMBERS = {
    "name", "role", "subject", "claims", "tables", "fields", "expiresUtc"
  };

  private final TableNames names;
  private final Catalog catalog;

  public KeyJson(TableNames names, Catalog catalog) {
    this.names = names;
    this.catalog = catalog;
  }

  /**
   * A key's members in their order, without its secret; for the caller to add to.
   *
   * @param lastUse when it was used last, to within some minutes; empty for never
   */
  Map<String, Object> of(ApiKey key, Optional<Instant> lastUse) {
    Identity identity = key.identity();
    Scope scope = identity.scope();
    Map<String, Object> object = new LinkedHashMap<>();
    object.put("id", key.id());
    object.put("name", key.name());
    object.put("role", identity.role());
    object.put("subject", identity.subject());
    object.put("claims", new TreeMap<>(identity.claims()));
    if (scope.tables() != null) {
      object.put("tables", texts(scope.tables()));
    }
    Map<String, Object> fields = new TreeMap<>();
    scope
        .fields()
        .forEach((table, columns) -> fields.put(table.toString(), new TreeSet<>(columns)));
    object.put("fields", fields);
    object.put("createdUtc", key.created().toString());
    if (key.expires() != null) {
      object.put("expiresUtc", key.expires().toString());
    }
    lastUse.ifPresent(use -> object.put("lastUsedUtc", use.toString()));
    return object;
  }

  private static List<String> texts(Set<TableId> tables) {
    return tables.stream().sorted().map(TableId::toString).toList();
  }

  /** Whom the key is to speak for. */
  Identity identity(JsonBody body, String name, Set<String> roles) {
    String role = body.text("role");
    if (!roles.contains(role)) {
      throw JsonBody.invalid(
          "role: '" + role + "' (expected: " + String.join(", ", new TreeSet<>(roles)) + ")");
    }
    String subject = body.optionalText("subject");
    return new Identity(subject == null ? name : subject, role, claims(body), scope(body));
  }

  private static Map<String, Object> claims(JsonBody body) {
    Map<String, Object> claims = new HashMap<>();
    for (Map.Entry<String, JsonNode> member : body.members("claims")) {
      claims.put(member.getKey(), claim("claims." + member.getKey(), member.getValue(), true));
    }
    return claims;
  }

  private static Object claim(String name, JsonNode node, boolean listAllowed) {
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
    if (node.isArray() && listAllowed) {
      List<Object> items = new ArrayList<>();
      node.forEach(item -> items.add(claim(name, item, false)));
      return List.copyOf(items);
    }
    throw JsonBody.invalid(
        name
            + ": "
            + JsonBody.kind(node)
            + " (expected: a string, a number, a boolean or an array of these)");
  }

  private Scope scope(JsonBody body) {
    List<String> named = body.optionalTexts("tables");
    Set<TableId> tables = null;
    if (named != null) {
      tables = new LinkedHashSet<>();
      for (String table : named) {
        tables.add(names.resolve("tables", table, t -> true));
      }
    }
    Map<TableId, Set<String>> fields = new HashMap<>();
    for (Map.Entry<String, JsonNode> member : body.members("fields")) {
      TableId table = names.resolve("fields", member.getKey(), t -> true);
      requireWithin(tables, table);
      fields.put(table, columns(table, member));
    }
    return new Scope(tables, fields);
  }

  private static void requireWithin(@Nullable Set<TableId> tables, TableId table) {
    if (tables != null && !tables.contains(table)) {
      throw JsonBody.invalid("fields." + table + ": not among tables (expected: one of them)");
    }
  }

  private Set<String> columns(TableId table, Map.Entry<String, JsonNode> member) {
    String name = "fields." + member.getKey();
    Set<String> columns = new LinkedHashSet<>(JsonBody.texts(name, member.getValue()));
    List<String> known =
        catalog
            .table(table)
            .map(found -> found.columns().stream().map(Column::name).toList())
            .orElse(List.of());
    for (String column : columns) {
      if (!known.isEmpty() && !known.contains(column)) {
        throw JsonBody.invalid(
            name + ": '" + column + "' (expected: " + String.join(", ", known) + ")");
      }
    }
    return columns;
  }
}
