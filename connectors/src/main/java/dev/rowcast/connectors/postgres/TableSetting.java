package dev.rowcast.connectors.postgres;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.rowcast.config.TableConfig.NotifyMode;
import dev.rowcast.event.TableId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A table as the connector's configuration names it.
 *
 * @param table its schema and name, as the database spells them
 * @param keyColumns the key where the database has none; empty otherwise
 * @param notifyBy who wakes listeners; null for the connector's {@code notify}
 * @param watermarkColumn what a fallback to polling would order by; null for none
 */
public record TableSetting(
    TableId table,
    List<String> keyColumns,
    @Nullable NotifyMode notifyBy,
    @Nullable String watermarkColumn) {
  private static final ObjectMapper JSON = new ObjectMapper();

  public TableSetting {
    requireNonNull(table, "table");
    keyColumns = List.copyOf(keyColumns);
  }

  /** A table with nothing said about it. */
  public static TableSetting of(TableId table) {
    return new TableSetting(table, List.of(), null, null);
  }

  /**
   * Reads a list: either JSON, {@code [{"schema":…,"table":…,"key":[…],"notify":…,"watermark":…}]},
   * or {@code schema.table} names separated by commas, {@code public} where there is no schema.
   *
   * @throws IllegalArgumentException if it is neither; the message says what was expected
   */
  public static List<TableSetting> parse(String text) {
    String list = text.strip();
    List<TableSetting> tables = new ArrayList<>();
    if (list.startsWith("[")) {
      for (JsonNode node : json(list)) {
        tables.add(ofJson(node));
      }
    } else {
      for (String name : list.split(",", -1)) {
        if (!name.isBlank()) {
          tables.add(of(ofName(name.strip())));
        }
      }
    }
    return List.copyOf(tables);
  }

  /** The list as JSON: what {@link #parse} reads. */
  public static String print(Collection<TableSetting> tables) {
    ArrayNode list = JSON.createArrayNode();
    for (TableSetting setting : tables) {
      ObjectNode node = list.addObject();
      node.put("schema", setting.table.schema()).put("table", setting.table.name());
      if (!setting.keyColumns.isEmpty()) {
        setting.keyColumns.forEach(node.putArray("key")::add);
      }
      if (setting.notifyBy != null) {
        node.put("notify", setting.notifyBy.name().toLowerCase(Locale.ROOT));
      }
      if (setting.watermarkColumn != null) {
        node.put("watermark", setting.watermarkColumn);
      }
    }
    return list.toString();
  }

  private static JsonNode json(String list) {
    try {
      return JSON.readTree(list);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(
          "not JSON: " + e.getOriginalMessage() + " (expected: [{\"schema\":…,\"table\":…}])", e);
    }
  }

  private static TableSetting ofJson(JsonNode node) {
    String table = node.path("table").asText();
    if (table.isEmpty()) {
      throw new IllegalArgumentException(
          node + " (expected: an object with \"schema\" and \"table\")");
    }
    List<String> key = new ArrayList<>();
    node.path("key").forEach(column -> key.add(column.asText()));
    return new TableSetting(
        new TableId(node.path("schema").asText("public"), table),
        key,
        node.has("notify") ? notifyMode(node.path("notify").asText()) : null,
        node.path("watermark").textValue());
  }

  private static TableId ofName(String name) {
    int dot = name.indexOf('.');
    return dot < 0
        ? new TableId("public", name)
        : new TableId(name.substring(0, dot), name.substring(dot + 1));
  }

  /** The mode of its name in any letter case. */
  static NotifyMode notifyMode(String name) {
    for (NotifyMode mode : NotifyMode.values()) {
      if (mode.name().equalsIgnoreCase(name)) {
        return mode;
      }
    }
    throw new IllegalArgumentException("notify: " + name + " (expected: trigger, reader or off)");
  }
}
