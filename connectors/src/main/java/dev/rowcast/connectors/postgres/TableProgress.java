package dev.rowcast.connectors.postgres;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How far a table's present rows have been brought to {@code rows}.
 *
 * @param state where it stands
 * @param relation the oid of the table it was
 * @param after while {@code SNAPSHOT}: the key of the last row taken, as text; null for none yet
 */
record TableProgress(State state, long relation, @Nullable List<String> after) {

  /** Where a table stands. */
  enum State {
    /** Its rows are being taken, page by page. */
    SNAPSHOT,
    /** All its rows have been taken; the stream does the rest. */
    DONE,
    /** What {@code rows} holds may differ from the table: they are to be compared. */
    RESYNC,
    /** It is captured no more. */
    REMOVED
  }

  static TableProgress of(State state, long relation) {
    return new TableProgress(state, relation, null);
  }

  Map<String, Object> toOffset() {
    Map<String, Object> offset = new HashMap<>();
    offset.put("state", state.name());
    offset.put("relation", relation);
    if (after != null) {
      offset.put("after", KeyText.print(after)); // offsets hold plain values only
    }
    return offset;
  }

  static TableProgress ofOffset(Map<String, Object> offset) {
    return new TableProgress(
        State.valueOf((String) offset.get("state")),
        ((Number) offset.get("relation")).longValue(),
        offset.get("after") instanceof String text ? KeyText.parse(text) : null);
  }
}
