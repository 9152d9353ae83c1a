package dev.rowcast.source;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.rowcast.event.Column;
import dev.rowcast.event.TableId;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The form of the {@code catalog} topic: what each source captures and how it fares. A table's
 * record has the key {@code {"table":{"schema":…,"name":…}}}, a source's {@code {"source":…}}; a
 * tombstone says that it is captured no more. Stateless; thread-safe.
 */
public final class CatalogCodec {
  private static final ObjectMapper JSON = new ObjectMapper();

  private CatalogCodec() {}

  public static byte[] tableKey(TableId table) {
    ObjectNode key = JSON.createObjectNode();
    key.putObject("table").put("schema", table.schema()).put("name", table.name());
    return write(key);
  }

  public static byte[] sourceKey(String source) {
    return write(JSON.createObjectNode().put("source", source));
  }

  /** The table that a record's key names; null for any other record. */
  public static @Nullable TableId tableOfKey(byte[] key) {
    JsonNode table = read(key).path("table");
    return table.isObject()
        ? new TableId(table.path("schema").asText(), table.path("name").asText())
        : null;
  }

  /** The source that a record's key names; null for any other record. */
  public static @Nullable String sourceOfKey(byte[] key) {
    return read(key).path("source").textValue();
  }

  public static byte[] encode(TableDescriptor table) {
    ObjectNode node = JSON.createObjectNode();
    node.put("schema", table.table().schema()).put("table", table.table().name());
    node.put("source", table.source()).put("strategy", table.strategy().wire());
    ArrayNode columns = node.putArray("columns");
    for (Column column : table.columns()) {
      columns.addObject().put("name", column.name()).put("dataType", column.dataType());
    }
    table.key().forEach(node.putArray("key")::add);
    return write(node);
  }

  public static TableDescriptor decodeTable(byte[] value) {
    JsonNode node = read(value);
    List<Column> columns = new ArrayList<>();
    for (JsonNode column : node.path("columns")) {
      columns.add(Column.of(column.path("name").asText(), column.path("dataType").asText()));
    }
    List<String> key = new ArrayList<>();
    node.path("key").forEach(column -> key.add(column.asText()));
    return new TableDescriptor(
        new TableId(node.path("schema").asText(), node.path("table").asText()),
        node.path("source").asText(),
        Strategy.ofWire(node.path("strategy").asText())
            .orElseThrow(() -> new IllegalArgumentException("strategy: " + node.path("strategy"))),
        columns,
        key);
  }

  public static byte[] encode(SourceStatus status) {
    ObjectNode node = JSON.createObjectNode();
    node.put("source", status.source()).put("state", status.state().name());
    node.put("reason", status.reason());
    node.put("lagEvents", status.lagEvents()).put("lagMillis", status.lagMillis());
    node.put("lastEvent", status.lastEvent() == null ? null : status.lastEvent().toString());
    node.put("reported", status.reported().toString());
    return write(node);
  }

  public static SourceStatus decodeSource(byte[] value) {
    JsonNode node = read(value);
    String lastEvent = node.path("lastEvent").textValue();
    return new SourceStatus(
        node.path("source").asText(),
        SourceStatus.State.valueOf(node.path("state").asText()),
        node.path("reason").textValue(),
        node.path("lagEvents").asLong(-1),
        node.path("lagMillis").asLong(-1),
        lastEvent == null ? null : Instant.parse(lastEvent),
        Instant.parse(node.path("reported").asText()));
  }

  private static byte[] write(JsonNode node) {
    try {
      return JSON.writeValueAsBytes(node);
    } catch (IOException e) {
      throw new UncheckedIOException(e); // a tree of plain values
    }
  }

  private static JsonNode read(byte[] json) {
    try {
      return JSON.readTree(json);
    } catch (IOException e) {
      throw new IllegalArgumentException("catalog record: not JSON", e);
    }
  }
}
