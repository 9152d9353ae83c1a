package dev.rowcast.connectors.postgres;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How far an outbox has been read: everything that {@code previous} sees and, of what {@code
 * current} sees besides, the rows up to {@code (group, id)}.
 *
 * @param outbox which one
 * @param previous a {@code pg_snapshot}
 * @param current the snapshot whose window is being read; null between two windows
 * @param group of the last row read, its transaction's largest id; -1 between two windows
 * @param id of the last row read; -1 between two windows
 */
record OutboxPosition(
    Identity outbox, String previous, @Nullable String current, long group, long id) {

  /**
   * What gives transaction ids and snapshots their meaning.
   *
   * @param system the cluster's identifier
   * @param timeline changes with a promotion or a restore
   * @param database its oid
   * @param epoch of the installation
   */
  record Identity(String system, String timeline, long database, String epoch) {}

  static OutboxPosition after(Identity outbox, String snapshot) {
    return new OutboxPosition(outbox, snapshot, null, -1, -1);
  }

  Map<String, Object> toOffset() {
    Map<String, Object> offset = new HashMap<>();
    offset.put("system", outbox.system);
    offset.put("timeline", outbox.timeline);
    offset.put("database", outbox.database);
    offset.put("epoch", outbox.epoch);
    offset.put("previous", previous);
    if (current != null) {
      offset.put("current", current);
      offset.put("group", group);
      offset.put("id", id);
    }
    return offset;
  }

  static OutboxPosition ofOffset(Map<String, Object> offset) {
    boolean inside = offset.get("current") != null;
    return new OutboxPosition(
        new Identity(
            (String) offset.get("system"),
            (String) offset.get("timeline"),
            ((Number) offset.get("database")).longValue(),
            (String) offset.get("epoch")),
        (String) offset.get("previous"),
        inside ? (String) offset.get("current") : null,
        inside ? ((Number) offset.get("group")).longValue() : -1,
        inside ? ((Number) offset.get("id")).longValue() : -1);
  }
}
