package dev.rowcast.fanout;

import dev.rowcast.event.EventRecord;
import dev.rowcast.event.JsonBytes;
import dev.rowcast.event.JsonObject;
import org.jspecify.annotations.Nullable;

/**
 * The row before an update, put together only when somebody asks: the new row with the earlier
 * values of what changed. Belongs to one thread.
 */
final class OldRow {
  private final EventRecord event;
  private @Nullable JsonObject row;

  OldRow(EventRecord event) {
    this.event = event;
  }

  /** Null where it isn't known. */
  @Nullable JsonObject get() {
    JsonObject data = event.data();
    JsonObject before = event.before();
    if (row == null && data != null && before != null) {
      row = overlay(data, before);
    }
    return row;
  }

  private static JsonObject overlay(JsonObject data, JsonObject before) {
    JsonBytes out = new JsonBytes(data.end() - data.start() + before.end() - before.start());
    out.raw('{');
    for (int i = 0; i < data.size(); i++) {
      if (i > 0) {
        out.raw(',');
      }
      int start = data.memberStart(i);
      out.raw(data.bytes(), start, data.valueStart(i) - start);
      int j = before.find(data.name(i));
      JsonObject from = j < 0 ? data : before;
      int k = j < 0 ? i : j;
      out.raw(from.bytes(), from.valueStart(k), from.valueEnd(k) - from.valueStart(k));
    }
    return JsonObject.of(out.raw('}').toByteArray());
  }
}
