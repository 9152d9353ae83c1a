package dev.rowcast.fanout;

import static java.util.Objects.requireNonNull;

import dev.rowcast.event.Op;
import dev.rowcast.event.TableId;
import dev.rowcast.policy.TableAccess;
import dev.rowcast.policy.View;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What somebody gets: what they may see, narrowed by what they asked for. Whoever has an equal
 * audience gets the same bytes; matching and framing cost by audience, not by subscriber.
 *
 * @param view what may be seen
 * @param tables the tables asked for; null for all
 * @param ops the ops asked for
 * @param numbers how 64-bit integers and decimals are told
 * @param leaves whether a row that leaves the view is told as a delete
 */
public record Audience(
    View view, @Nullable Set<TableId> tables, Set<Op> ops, Numbers numbers, boolean leaves) {

  /** How 64-bit integers and decimals are told. */
  public enum Numbers {
    NUMBER,
    STRING
  }

  public Audience {
    requireNonNull(view, "view");
    tables = tables == null ? null : Set.copyOf(tables);
    ops = Set.copyOf(ops);
  }

  /** What is seen of a table; empty for nothing. */
  public Optional<TableAccess> access(TableId table) {
    return tables == null || tables.contains(table) ? view.access(table) : Optional.empty();
  }
}
