package dev.rowcast.policy;

import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which columns are seen, and how.
 *
 * @param only the columns that are seen; null for all that aren't {@code hidden}
 * @param hidden columns that are absent
 * @param masks by column, what is shown in its place
 * @param actor whether it is told who made a change
 */
public record ColumnRules(
    @Nullable Set<String> only, Set<String> hidden, Map<String, Mask> masks, boolean actor) {
  /** Every column as it is. */
  public static final ColumnRules ALL = new ColumnRules(null, Set.of(), Map.of(), true);

  public ColumnRules {
    only = only == null ? null : Set.copyOf(only);
    hidden = Set.copyOf(hidden);
    masks = Map.copyOf(masks);
  }

  public boolean shows(String column) {
    return !hidden.contains(column) && (only == null || only.contains(column));
  }

  /**
   * What may be shown to somebody of what is seen by these rules: columns that the other doesn't
   * see, or sees masked in another way, are left out.
   *
   * @param other the rules of the one who looks on
   */
  public ColumnRules limitedTo(ColumnRules other) {
    Set<String> absent = new HashSet<>(hidden);
    absent.addAll(other.hidden);
    other.masks.forEach(
        (column, mask) -> {
          if (!mask.equals(masks.get(column))) {
            absent.add(column);
          }
        });
    Set<String> shown = only;
    if (shown == null) {
      shown = other.only;
    } else if (other.only != null) {
      shown = new HashSet<>(shown);
      shown.retainAll(other.only);
    }
    return new ColumnRules(shown, absent, masks, actor && other.actor);
  }

  /** Whether every column is seen as it is. */
  public boolean showsAll() {
    return equals(ALL);
  }
}
