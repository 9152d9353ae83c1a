package dev.rowcast.event;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The form of row changes in Kafka.
 *
 * <ul>
 *   <li>key, in {@code events} and {@code rows}: {@code {"schema":…,"table":…,"rowKey":{…}}}
 *   <li>value in {@code events}: the contract's event object without {@code id}, members in the
 *       contract's order
 *   <li>header {@code before} in {@code events}: of an update, the earlier values of the changed
 *       columns; of a delete, the whole row where known
 *   <li>value in {@code rows}: the row; a tombstone once it is gone
 * </ul>
 *
 * <p>What was before is a header, not a member, so that whoever takes the value as it stands never
 * shows it: it is there for policies and for those who consume Kafka itself. Stateless;
 * thread-safe.
 */
public final class EventCodec {
  /** The name of the header with earlier values. */
  public static final String BEFORE_HEADER = "before";

  /** The default of the largest record, in bytes: the contract's 8 MiB. */
  public static final int MAX_RECORD_BYTES = 8 << 20;

  private static final byte[] NULL = "null".getBytes(StandardCharsets.US_ASCII);
  // record batch, headers and the fixed members: generous, and nothing beside 8 MiB
  private static final int OVERHEAD = 4096;
  // who made a change is told in a few words; a writer can put anything there
  private static final int MAX_ACTOR_BYTES = 1 << 16;

  private EventCodec() {}

  /** The key of a row in {@code events} and {@code rows}. */
  public static byte[] key(TableId table, JsonObject rowKey) {
    return new JsonBytes(64 + rowKey.end() - rowKey.start())
        .ascii("{\"schema\":")
        .string(table.schema())
        .ascii(",\"table\":")
        .string(table.name())
        .ascii(",\"rowKey\":")
        .raw(rowKey.bytes(), rowKey.start(), rowKey.end() - rowKey.start())
        .raw('}')
        .toByteArray();
  }

  /**
   * The change as records of at most {@code maxBytes} each: where a row is larger, its largest
   * columns outside the key are left out and named in {@code omitted}. An actor of more than 64 KiB
   * is told as {@code null}.
   *
   * @throws IllegalArgumentException if even the key and the names of columns don't fit
   */
  public static EncodedChange encode(RowChange change, int maxBytes) {
    byte[] key = key(change.table(), change.key());
    List<String> changed = changedColumns(change);
    JsonObject actor = actor(change);
    int fixed = OVERHEAD + 2 * key.length + (actor == null ? 0 : length(actor));
    Set<String> omitted = omitted(change, changed, maxBytes - fixed);
    JsonObject row = without(change.row(), omitted);
    JsonObject before = without(before(change, changed), omitted);
    return new EncodedChange(
        key,
        event(change, row, changed, actor, omitted),
        before == null ? null : before.toByteArray(),
        row == null ? null : row.toByteArray());
  }

  private static byte[] event(
      RowChange change,
      @Nullable JsonObject row,
      List<String> changed,
      @Nullable JsonObject actor,
      Set<String> omitted) {
    JsonBytes out = new JsonBytes(256 + (row == null ? 0 : row.end() - row.start()));
    out.ascii("{\"occurredUtc\":\"")
        .ascii(Timestamps.micros(change.occurred()))
        .ascii("\",\"schema\":");
    out.string(change.table().schema()).ascii(",\"table\":").string(change.table().name());
    out.ascii(",\"op\":\"").ascii(change.op().wire()).ascii("\",\"rowKey\":");
    object(out, change.key());
    if (row != null) {
      object(out.ascii(",\"data\":"), row);
    }
    strings(out.ascii(",\"changedColumns\":"), changed);
    out.ascii(",\"actor\":");
    if (actor == null) {
      out.raw(NULL);
    } else {
      object(out, actor);
    }
    if (!omitted.isEmpty()) {
      strings(out.ascii(",\"omitted\":"), omitted);
    }
    return out.raw('}').toByteArray();
  }

  private static @Nullable JsonObject actor(RowChange change) {
    JsonObject actor = change.actor();
    return actor == null || length(actor) > MAX_ACTOR_BYTES ? null : actor;
  }

  private static List<String> changedColumns(RowChange change) {
    List<String> changed = new ArrayList<>();
    JsonObject row = change.row();
    JsonObject before = change.before();
    if (change.op() == Op.UPDATE && row != null && before != null) {
      for (int i = 0; i < row.size(); i++) {
        // rows of one table have their members in one order, but for a column added in between
        int j = i < before.size() && sameName(row, i, before) ? i : before.find(row.name(i));
        if (j < 0 || !row.sameValue(i, before, j)) {
          changed.add(row.name(i));
        }
      }
    }
    return changed;
  }

  private static boolean sameName(JsonObject row, int i, JsonObject before) {
    int start = row.memberStart(i) + 1;
    int length = row.valueStart(i) - 2 - start;
    int other = before.memberStart(i) + 1;
    return length == before.valueStart(i) - 2 - other
        && Arrays.equals(row.bytes(), start, start + length, before.bytes(), other, other + length);
  }

  private static @Nullable JsonObject before(RowChange change, List<String> changed) {
    JsonObject before = change.before();
    return before == null || change.op() == Op.DELETE
        ? before
        : select(before, Set.copyOf(changed), true);
  }

  private static Set<String> omitted(RowChange change, List<String> changed, int budget) {
    JsonObject row = change.row() != null ? change.row() : change.before();
    Set<String> omitted = new LinkedHashSet<>();
    if (row == null || fitsAnyway(row, change.before(), budget)) {
      return omitted;
    }
    JsonObject before = change.row() == null ? null : before(change, changed);
    // names stand once more in changedColumns and in omitted
    long size = (long) length(row) + (before == null ? 0 : length(before)) + 2L * nameLengths(row);
    List<Integer> bySize = new ArrayList<>();
    for (int i = 0; i < row.size(); i++) {
      if (size > budget && change.key().find(row.name(i)) < 0) {
        bySize.add(i);
      }
    }
    bySize.sort(Comparator.comparingInt((Integer i) -> valueLength(row, i)).reversed());
    for (int i : bySize) {
      if (size <= budget) {
        break;
      }
      String name = row.name(i);
      int j = before == null ? -1 : before.find(name);
      size -= valueLength(row, i) + (j < 0 || before == null ? 0 : valueLength(before, j));
      omitted.add(name);
    }
    if (size > budget) {
      throw new IllegalArgumentException(
          change.table()
              + ": what can't be left out has "
              + size
              + " bytes (expected: <= "
              + budget
              + ")");
    }
    return omitted;
  }

  /** Whether no count is needed: names are no longer than the row that they stand in. */
  private static boolean fitsAnyway(JsonObject row, @Nullable JsonObject before, int budget) {
    return 3L * length(row) + (before == null ? 0 : length(before)) <= budget;
  }

  private static int length(JsonObject object) {
    return object.end() - object.start();
  }

  private static int nameLengths(JsonObject object) {
    int length = 0;
    for (int i = 0; i < object.size(); i++) {
      length += object.valueStart(i) - object.memberStart(i);
    }
    return length;
  }

  private static int valueLength(JsonObject object, int i) {
    return object.valueEnd(i) - object.valueStart(i);
  }

  private static @Nullable JsonObject without(@Nullable JsonObject object, Set<String> names) {
    return object == null || names.isEmpty() ? object : select(object, names, false);
  }

  /** The members of {@code object} that are ({@code keep}) or are not among {@code names}. */
  private static JsonObject select(JsonObject object, Set<String> names, boolean keep) {
    JsonBytes out = new JsonBytes(length(object)).raw('{');
    for (int i = 0; i < object.size(); i++) {
      if (names.contains(object.name(i)) == keep) {
        if (out.size() > 1) {
          out.raw(',');
        }
        int start = object.memberStart(i);
        out.raw(object.bytes(), start, object.valueEnd(i) - start);
      }
    }
    return JsonObject.of(out.raw('}').toByteArray());
  }

  private static void object(JsonBytes out, JsonObject object) {
    out.raw(object.bytes(), object.start(), length(object));
  }

  private static void strings(JsonBytes out, Iterable<String> strings) {
    out.raw('[');
    boolean first = true;
    for (String string : strings) {
      if (!first) {
        out.raw(',');
      }
      first = false;
      out.string(string);
    }
    out.raw(']');
  }
}
