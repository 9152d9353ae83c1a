package dev.rowcast.fanout;

import dev.rowcast.event.EventRecord;
import dev.rowcast.event.JsonObject;
import dev.rowcast.event.Op;
import dev.rowcast.policy.eval.IndexEntry;
import dev.rowcast.policy.eval.KeySource;
import dev.rowcast.policy.value.ValueException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Finds the audiences of one table's events without asking each: those whose rules want a value of
 * a column, or of rows that belong to the row, are found by that value; only they are asked.
 * Guarded by the feed's append lock.
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

  private final Map<A, Place<A>> members = new LinkedHashMap<>();
  private final Set<Place<A>> unindexed = new LinkedHashSet<>();
  private final Map<KeySource, BySource<A>> bySource = new LinkedHashMap<>();
  private long matches;

  /** A member and where it stands; compared by identity. */
  private static final class Place<A> {
    final A member;
    final Wanted wanted;
    final Matcher.Access access;
    final @Nullable List<IndexEntry> entries;
    final boolean foundIsSeen;
    long asked; // at which match last: who stands in two places is asked once

    Place(A member, Wanted wanted, Matcher.Access access) {
      this.member = member;
      this.wanted = wanted;
      this.access = access;
      this.entries = access.rows().entries();
      this.foundIsSeen = access.rows().foundIsSeen();
    }
  }

  /** The members that want a value of one source, by that value. */
  private static final class BySource<A> {
    private final KeySource.Reader reader;
    private final Map<Object, List<Place<A>>> places = new HashMap<>();
    private int leaving;

    BySource(KeySource source) {
      this.reader = source.reader();
    }
  }

  void add(A member, Matcher.Access access) {
    if (members.containsKey(member)) {
      return;
    }
    Place<A> place = new Place<>(member, member.matcher().wanted(), access);
    members.put(member, place);
    if (place.entries == null) {
      unindexed.add(place);
      return;
    }
    int leaving = member.matcher().audience().leaves() ? 1 : 0;
    for (IndexEntry entry : place.entries) {
      BySource<A> source = bySource.computeIfAbsent(entry.source(), BySource::new);
      source.places.computeIfAbsent(entry.key(), key -> new ArrayList<>(1)).add(place);
      source.leaving += leaving;
    }
  }

  void remove(A member) {
    Place<A> place = members.remove(member);
    if (place == null) {
      return;
    }
    if (place.entries == null) {
      unindexed.remove(place);
      return;
    }
    int leaving = member.matcher().audience().leaves() ? 1 : 0;
    for (IndexEntry entry : place.entries) {
      BySource<A> source = bySource.get(entry.source());
      List<Place<A>> same = source.places.get(entry.key());
      same.remove(place);
      source.leaving -= leaving;
      if (same.isEmpty()) {
        source.places.remove(entry.key());
      }
      if (source.places.isEmpty()) {
        bySource.remove(entry.source());
      }
    }
  }

  /** Finds all who get an event, each once. */
  void match(EventRecord event, Hits<A> hits) {
    OldRow old = new OldRow(event);
    matches++;
    if (event.op() == Op.DELETE) {
      members.values().forEach(place -> judge(place, event, old, hits));
      return;
    }
    JsonObject data = event.data();
    if (data == null) {
      return;
    }
    for (Place<A> place : unindexed) {
      judge(place, event, old, hits);
    }
    for (BySource<A> source : bySource.values()) {
      ask(source, data, true, event, old, hits);
    }
    // who sees the row as it is now has been found: the others may have seen it as it was
    for (BySource<A> source : bySource.values()) {
      JsonObject before = source.leaving > 0 ? old.get() : null;
      if (before != null) {
        ask(source, before, false, event, old, hits);
      }
    }
  }

  private void ask(
      BySource<A> source,
      JsonObject row,
      boolean now,
      EventRecord event,
      OldRow old,
      Hits<A> hits) {
    try {
      source.reader.keys(
          row,
          key -> {
            List<Place<A>> places = source.places.get(key);
            if (places != null) {
              for (int i = 0; i < places.size(); i++) {
                Place<A> place = places.get(i);
                if (place.foundIsSeen) {
                  found(place, now, event, hits);
                } else {
                  judge(place, event, old, hits);
                }
              }
            }
          });
    } catch (ValueException e) {
      // what a look-up can't answer hides the row from all who depend on it
    }
  }

  private void judge(Place<A> place, EventRecord event, OldRow old, Hits<A> hits) {
    if (place.asked != matches) {
      hit(place, place.member.matcher().judge(place.access, event, old), hits);
    }
  }

  private void found(Place<A> place, boolean now, EventRecord event, Hits<A> hits) {
    if (place.asked != matches) {
      Op op = event.op();
      hit(place, now ? place.wanted.seen(op) : place.wanted.seenBefore(op), hits);
    }
  }

  private void hit(Place<A> place, Verdict verdict, Hits<A> hits) {
    place.asked = matches;
    if (verdict != Verdict.HIDDEN) {
      hits.hit(place.member, place.access, verdict);
    }
  }
}
