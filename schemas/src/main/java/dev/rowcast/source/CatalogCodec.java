package dev.rowcast.source;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.rowcast.event.Column;
import dev.rowcast.event.ColumnType;
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

  /** The table that a record's key names; null for any other record, whatever its key. */
  public static @Nullable TableId tableOfKey(byte @Nullable [] key) {
    JsonNode table = readKey(key).path("table");
    String schema = table.path("schema").asText();
    String name = table.path("name").asText();
    return schema.isEmpty() || name.isEmpty() ? null : new TableId(schema, name);
  }

  /** The source that a record's key names; null for any other record, whatever its key. */
  public static @Nullable String sourceOfKey(byte @Nullable [] key) {
    return readKey(key).path("source").textValue();
  }

  private static JsonNode readKey(byte @Nullable [] key) {
    try {
      return key == null ? MissingNode.getInstance() : JSON.readTree(key);
    } catch (IOException e) {
      return MissingNode.getInstance();
    }
  }

  public static byte[] encode(TableDescriptor table) {
    ObjectNode node = JSON.createObjectNode();
    node.put("schema", table.table().schema()).put("table", table.table().name());
    node.put("source", table.source()).put("strategy", table.strategy().wire());
    ArrayNode columns = node.putArray("columns");
    for (Column column : table.columns()) {
      columns.add(write(column));
    }
    table.key().forEach(node.putArray("key")::add);
    return write(node);
  }

  public static TableDescriptor decodeTable(byte[] value) {
    JsonNode node = read(value);
    List<Column> columns = new ArrayList<>();
    for (JsonNode column : node.path("columns")) {
      columns.add(readColumn(column));
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

  /** A column; its type is told only where it doesn't follow from the SQL name, as of a domain. */
  private static JsonNode write(Column column) {
    ObjectNode node = JSON.createObjectNode();
    node.put("name", column.name()).put("dataType", column.dataType());
    if (!column.type().equals(ColumnType.ofSqlName(column.dataType()))) {
      node.set("type", write(column.type()));
    }
    return node;
  }

  private static JsonNode write(ColumnType type) {
    if (type instanceof ColumnType.Array array) {
      return JSON.createObjectNode().set("array", write(array.element()));
    }
    if (type instanceof ColumnType.Composite composite) {
      ArrayNode fields = JSON.createArrayNode();
      composite.fields().forEach(field -> fields.add(write(field)));
      return JSON.createObjectNode().set("fields", fields);
    }
    return JSON.getNodeFactory().textNode(((ColumnType.Scalar) type).name());
  }

  private static Column readColumn(JsonNode node) {
    String name = node.path("name").asText();
    String dataType = node.path("dataType").asText();
    return node.has("type")
        ? new Column(name, dataType, readType(node.get("type")))
        : Column.of(name, dataType);
  }

  private static ColumnType readType(JsonNode node) {
    if (node.has("array")) {
      return new ColumnType.Array(readType(node.get("array")));
    }
    if (node.has("fields")) {
      List<Column> fields = new ArrayList<>();
      node.get("fields").forEach(field -> fields.add(readColumn(field)));
      return new ColumnType.Composite(fields);
    }
    return ColumnType.Scalar.valueOf(node.asText());
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
