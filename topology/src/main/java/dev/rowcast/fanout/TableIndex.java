package dev.rowcast.fanout;

import dev.rowcast.event.EventRecord;
import dev.rowcast.event.JsonObject;
import dev.rowcast.event.Op;
import dev.rowcast.policy.RowFilter;
import dev.rowcast.policy.RowFilter.ColumnEquals;
import dev.rowcast.policy.RowFilter.Everything;
import dev.rowcast.policy.RowFilter.Nothing;
import dev.rowcast.policy.Scalar;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Finds the audiences of one table's events without asking each: those that see the rows with one
 * value of a column are found by that value. Guarded by the feed's append lock.
 *
 * @param <A> the audiences
 */
final class TableIndex<A extends TableIndex.Member> {

  /** One who may get events. */
  interface Member {
    Matcher matcher();
  }

  /** Told of each member that gets an event. */
  interface Hits<A> {
    void hit(A member, Matcher.Access access, Verdict verdict);
  }

  private final Map<A, Matcher.Access> members = new LinkedHashMap<>();
  private final Set<A> unindexed = new LinkedHashSet<>();
  private final Map<String, ByValue<A>> byColumn = new HashMap<>();

  /** The members that see the rows where a column has a value, by that value. */
  private static final class ByValue<A> {
    private final byte[] rawName;
    private final Map<Scalar, Set<A>> members = new HashMap<>();
    private int leaving;

    ByValue(String column) {
      this.rawName = JsonObject.rawName(column);
    }

    Collection<A> of(JsonObject row) {
      int i = row.find(rawName);
      Scalar value = i < 0 ? null : scalar(row, i);
      return value == null ? Set.of() : members.getOrDefault(value, Set.of());
    }

    private static @Nullable Scalar scalar(JsonObject row, int i) {
      try {
        return Scalar.of(row, i);
      } catch (RuntimeException e) {
        return null; // no value that anything could equal
      }
    }
  }

  void add(A member, Matcher.Access access) {
    if (members.putIfAbsent(member, access) != null) {
      return;
    }
    RowFilter rows = access.rows();
    if (rows instanceof ColumnEquals equals) {
      ByValue<A> values = byColumn.computeIfAbsent(equals.column(), ByValue::new);
      values.members.computeIfAbsent(equals.value(), value -> new LinkedHashSet<>()).add(member);
      values.leaving += member.matcher().audience().leaves() ? 1 : 0;
    } else if (rows instanceof Everything || !(rows instanceof Nothing)) {
      unindexed.add(member);
    }
  }

  void remove(A member) {
    Matcher.Access access = members.remove(member);
    if (access != null && access.rows() instanceof ColumnEquals equals) {
      ByValue<A> values = byColumn.get(equals.column());
      Set<A> same = values.members.get(equals.value());
      same.remove(member);
      values.leaving -= member.matcher().audience().leaves() ? 1 : 0;
      if (same.isEmpty()) {
        values.members.remove(equals.value());
      }
      if (values.members.isEmpty()) {
        byColumn.remove(equals.column());
      }
    } else {
      unindexed.remove(member);
    }
  }

  /** Finds all who get an event, each once. */
  void match(EventRecord event, Hits<A> hits) {
    OldRow old = new OldRow(event);
    if (event.op() == Op.DELETE) {
      members.forEach((member, access) -> judge(member, access, event, old, hits));
      return;
    }
    judge(unindexed, event, old, hits);
    JsonObject data = event.data();
    if (data == null) {
      return;
    }
    for (ByValue<A> values : byColumn.values()) {
      Collection<A> now = values.of(data);
      judge(now, event, old, hits);
      JsonObject before = event.before();
      if (values.leaving > 0 && before != null && before.find(values.rawName) >= 0) {
        Collection<A> then = values.of(before);
        if (then != now) {
          judge(then, event, old, hits);
        }
      }
    }
  }

  private void judge(Collection<A> some, EventRecord event, OldRow old, Hits<A> hits) {
    for (A member : some) {
      Matcher.Access access = members.get(member);
      if (access != null) {
        judge(member, access, event, old, hits);
      }
    }
  }

  private void judge(A member, Matcher.Access access, EventRecord event, OldRow old, Hits<A> hits) {
    Verdict verdict = member.matcher().judge(access, event, old);
    if (verdict != Verdict.HIDDEN) {
      hits.hit(member, access, verdict);
    }
  }
}
