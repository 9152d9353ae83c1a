package dev.rowcast.event;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An event as read from {@code events}: its id, and views of its parts in the bytes of the record.
 * Immutable, thread-safe.
 */
public final class EventRecord {
  private static final byte[] SCHEMA = JsonObject.rawName("schema");
  private static final byte[] TABLE = JsonObject.rawName("table");
  private static final byte[] OP = JsonObject.rawName("op");
  private static final byte[] ROW_KEY = JsonObject.rawName("rowKey");
  private static final byte[] DATA = JsonObject.rawName("data");
  private static final byte[] CHANGED = JsonObject.rawName("changedColumns");

  private final long id;
  private final JsonObject event;
  private final TableId table;
  private final Op op;
  private final JsonObject rowKey;
  private final @Nullable JsonObject data;
  private final @Nullable JsonObject before;

  private EventRecord(
      long id,
      JsonObject event,
      TableId table,
      Op op,
      JsonObject rowKey,
      @Nullable JsonObject data,
      @Nullable JsonObject before) {
    this.id = id;
    this.event = event;
    this.table = table;
    this.op = op;
    this.rowKey = rowKey;
    this.data = data;
    this.before = before;
  }

  /**
   * Reads a record of {@code events}; the arrays are kept, not copied.
   *
   * @param offset the record's offset; the event's id is one more
   * @param before the {@link EventCodec#BEFORE_HEADER} header's value, null for none
   * @throws IllegalArgumentException if the value isn't an event in canonical form
   */
  public static EventRecord parse(long offset, byte[] value, byte @Nullable [] before) {
    JsonObject event = JsonObject.of(value);
    int data = event.find(DATA);
    return new EventRecord(
        offset + 1,
        event,
        new TableId(
            event.stringValue(member(event, SCHEMA)), event.stringValue(member(event, TABLE))),
        Op.ofWire(event.stringValue(member(event, OP)))
            .orElseThrow(
                () -> new IllegalArgumentException("op (expected: insert, update, delete)")),
        nested(event, member(event, ROW_KEY)),
        data < 0 ? null : nested(event, data),
        before == null ? null : JsonObject.of(before));
  }

  private static int member(JsonObject event, byte[] name) {
    int i = event.find(name);
    if (i < 0) {
      throw new IllegalArgumentException(
          "event without " + new String(name, StandardCharsets.US_ASCII));
    }
    return i;
  }

  private static JsonObject nested(JsonObject event, int i) {
    return JsonObject.of(event.bytes(), event.valueStart(i), event.valueEnd(i));
  }

  /** The public id: offset + 1. */
  public long id() {
    return id;
  }

  /** The whole event without {@code id}, unfiltered. */
  public JsonObject event() {
    return event;
  }

  public TableId table() {
    return table;
  }

  public Op op() {
    return op;
  }

  public JsonObject rowKey() {
    return rowKey;
  }

  /** The row after the change; null on delete. */
  public @Nullable JsonObject data() {
    return data;
  }

  /** Of an update, the earlier values of the changed columns; of a delete, the row; may be null. */
  public @Nullable JsonObject before() {
    return before;
  }

  /** Of an update, the names of the columns that differ, in table order. */
  public List<String> changedColumns() {
    int i = event.find(CHANGED);
    List<String> names = new ArrayList<>();
    if (i >= 0) {
      byte[] bytes = event.bytes();
      int at = event.valueStart(i) + 1;
      while (bytes[at] == '"') {
        int end = at + 1;
        while (bytes[end] != '"') {
          end += bytes[end] == '\\' ? 2 : 1;
        }
        names.add(JsonObject.decode(bytes, at + 1, end));
        at = end + 1;
        if (bytes[at] == ',') {
          at++;
        }
      }
    }
    return names;
  }

  /** For messages and logs: never row values. */
  @Override
  public String toString() {
    return "event " + id + " " + op.wire() + " " + table;
  }
}
