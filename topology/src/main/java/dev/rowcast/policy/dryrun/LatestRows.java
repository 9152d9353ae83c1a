package dev.rowcast.policy.dryrun;

import dev.rowcast.event.EventRecord;
import dev.rowcast.event.JsonObject;
import dev.rowcast.event.Op;
import dev.rowcast.event.TableId;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The rows that a run of events leaves: of each row its latest image, of a deleted one none. Holds
 * so many bytes at most and lets go of the rows that changed longest ago first. Not thread-safe.
 */
public final class LatestRows {
  private final long maxBytes;
  private final Map<Place, EventRecord> latest = new LinkedHashMap<>();
  private long bytes;
  private long leftOut;

  private record Place(TableId table, JsonObject key) {}

  /**
   * @param maxBytes the most bytes of events that are held
   */
  public LatestRows(long maxBytes) {
    this.maxBytes = maxBytes;
  }

  /** Takes the next event. */
  public void add(EventRecord event) {
    remove(event);
    if (event.op() != Op.DELETE && event.data() != null) {
      latest.put(place(event), event);
      bytes += size(event);
    }
    for (Iterator<EventRecord> eldest = latest.values().iterator();
        bytes > maxBytes && latest.size() > 1; ) {
      bytes -= size(eldest.next());
      eldest.remove();
      leftOut++;
    }
  }

  /** Lets go of the row that an event is about. */
  public void remove(EventRecord event) {
    EventRecord before = latest.remove(place(event));
    bytes -= before == null ? 0 : size(before);
  }

  private static Place place(EventRecord event) {
    return new Place(event.table(), event.rowKey());
  }

  private static int size(EventRecord event) {
    return event.event().bytes().length;
  }

  /** How many rows were let go of. */
  public long leftOut() {
    return leftOut;
  }

  public int size() {
    return latest.size();
  }

  /** The rows by table, the latest ones first. */
  public Map<TableId, List<EventRecord>> byTable() {
    Map<TableId, List<EventRecord>> byTable = new TreeMap<>();
    latest
        .values()
        .forEach(row -> byTable.computeIfAbsent(row.table(), any -> new ArrayList<>()).add(row));
    byTable.values().forEach(Collections::reverse);
    return byTable;
  }
}
