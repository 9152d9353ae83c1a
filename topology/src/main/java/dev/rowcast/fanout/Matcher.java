package dev.rowcast.fanout;

import dev.rowcast.catalog.Catalog;
import dev.rowcast.event.EventRecord;
import dev.rowcast.event.JsonObject;
import dev.rowcast.event.Op;
import dev.rowcast.event.TableId;
import dev.rowcast.frame.EventRenderer;
import dev.rowcast.policy.RowFilter;
import dev.rowcast.source.TableDescriptor;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Decides for one audience what it gets of each event: live, from history and in pages alike. What
 * it derives for a table is derived again when the catalog says something else of it. Thread-safe.
 */
final class Matcher {
  private final Audience audience;
  private final Catalog catalog;
  private final Renderers renderers;
  private final TypesSeen types;
  private final Wanted wanted;
  private final Map<TableId, Derived> tables = new ConcurrentHashMap<>();

  Matcher(Audience audience, Catalog catalog, Renderers renderers) {
    this(audience, catalog, renderers, new TypesSeen(catalog, Set.of()));
  }

  Matcher(Audience audience, Catalog catalog, Renderers renderers, TypesSeen types) {
    this.audience = audience;
    this.catalog = catalog;
    this.renderers = renderers;
    this.types = types;
    this.wanted = Wanted.of(audience.ops(), audience.leaves());
  }

  /**
   * What is seen of one table.
   *
   * @param rows which rows
   * @param renderer how they are told
   */
  record Access(RowFilter rows, EventRenderer renderer) {}

  /** An access, null for none, and the descriptors that it was derived from. */
  private record Derived(TypesSeen.Of seen, @Nullable Access access) {}

  Audience audience() {
    return audience;
  }

  Wanted wanted() {
    return wanted;
  }

  /** Null where the audience sees nothing of the table. */
  @Nullable Access access(TableId table) {
    Derived derived = tables.get(table);
    if (derived == null || types.differ(derived.seen())) {
      TypesSeen.Of seen = types.of(table); // before what is derived: a later change is seen again
      derived = new Derived(seen, derive(table, catalog.table(table).orElse(null)));
      tables.put(table, derived);
    }
    return derived.access();
  }

  private @Nullable Access derive(TableId table, @Nullable TableDescriptor descriptor) {
    return audience
        .access(table)
        .map(
            access ->
                new Access(
                    access.rows(),
                    renderers.of(
                        table,
                        access.columns(),
                        descriptor == null ? List.of() : descriptor.columns(),
                        audience.numbers() == Audience.Numbers.STRING)))
        .orElse(null);
  }

  /** What the audience gets; a predicate that fails hides the row. */
  Verdict judge(Access access, EventRecord event, OldRow old) {
    try {
      return decide(access.rows(), event, old);
    } catch (RuntimeException e) {
      return Verdict.HIDDEN;
    }
  }

  private Verdict decide(RowFilter rows, EventRecord event, OldRow old) {
    if (event.op() == Op.DELETE) {
      return wanted.seen(Op.DELETE);
    }
    JsonObject data = event.data();
    if (data != null && rows.test(data)) {
      return wanted.seen(event.op());
    }
    if (wanted.tellsLeaving(event.op())) {
      JsonObject before = old.get();
      if (before != null && rows.test(before)) {
        return wanted.seenBefore(event.op());
      }
    }
    return Verdict.HIDDEN;
  }
}
