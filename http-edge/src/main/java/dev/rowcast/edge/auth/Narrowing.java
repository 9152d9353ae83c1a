package dev.rowcast.edge.auth;

import dev.rowcast.event.Op;
import dev.rowcast.event.TableId;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a stream token narrows its key to.
 *
 * @param tables the tables; null for no limit
 * @param ops the ops
 */
public record Narrowing(@Nullable Set<TableId> tables, Set<Op> ops) {
  /** No limit. */
  public static final Narrowing NONE = new Narrowing(null, EnumSet.allOf(Op.class));

  public Narrowing {
    tables = tables == null ? null : Set.copyOf(tables);
    ops = Set.copyOf(ops);
  }

  public boolean admits(TableId table) {
    return tables == null || tables.contains(table);
  }
}
