package dev.rowcast.policy;

import dev.rowcast.event.JsonObject;
import dev.rowcast.policy.eval.CompiledPredicate;
import dev.rowcast.policy.eval.IndexEntry;
import dev.rowcast.policy.value.ValueException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which rows of a table are seen: rules whose claims are filled in already. Three-valued logic as
 * in SQL: what isn't true hides the row. Thread-safe.
 */
public sealed interface RowFilter {

  /** Whether a row image is seen. Never throws: what can't be decided is not seen. */
  boolean test(JsonObject row);

  /**
   * By which values the rows are found: each has one of them. Null where rows have to be tested one
   * by one, empty where none is seen.
   */
  @Nullable List<IndexEntry> entries();

  /** Whether every row that has one of the {@link #entries()} is seen, without a test. */
  default boolean foundIsSeen() {
    return false;
  }

  /** Every row. */
  record Everything() implements RowFilter {
    @Override
    public boolean test(JsonObject row) {
      return true;
    }

    @Override
    public @Nullable List<IndexEntry> entries() {
      return null;
    }
  }

  /** No row. */
  record Nothing() implements RowFilter {
    @Override
    public boolean test(JsonObject row) {
      return false;
    }

    @Override
    public List<IndexEntry> entries() {
      return List.of();
    }
  }

  /**
   * The rows that one rule at least lets through. A rule that fails on a row doesn't let it through
   * and keeps no other from doing so.
   *
   * @param rules at least one
   * @param failed told of each failure, on the thread that tests
   */
  record Ruled(List<CompiledPredicate.Bound> rules, Runnable failed) implements RowFilter {
    public Ruled {
      rules = List.copyOf(rules);
    }

    @Override
    public boolean test(JsonObject row) {
      for (int i = 0; i < rules.size(); i++) {
        try {
          if (rules.get(i).test(row)) {
            return true;
          }
        } catch (ValueException e) {
          failed.run();
        }
      }
      return false;
    }

    @Override
    public @Nullable List<IndexEntry> entries() {
      Set<IndexEntry> all = new LinkedHashSet<>();
      for (CompiledPredicate.Bound rule : rules) {
        List<IndexEntry> entries = rule.entries();
        if (entries == null) {
          return null;
        }
        all.addAll(entries);
      }
      return new ArrayList<>(all);
    }

    @Override
    public boolean foundIsSeen() {
      return rules.stream().allMatch(CompiledPredicate.Bound::foundIsSeen);
    }
  }
}
