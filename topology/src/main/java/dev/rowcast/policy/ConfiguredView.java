package dev.rowcast.policy;

import dev.rowcast.event.TableId;
import dev.rowcast.policy.eval.CompiledPredicate;
import dev.rowcast.policy.value.ValueException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A view with everything decided but the types of columns: two are equal when the same rules read
 * the same claims, whoever they are for.
 *
 * @param ruled the rights to each table of the configuration, the scope folded in; empty for none
 * @param others what is seen of tables that the configuration doesn't list; null for nothing
 */
record ConfiguredView(Map<TableId, Optional<Rights>> ruled, @Nullable Others others)
    implements View {
  ConfiguredView {
    ruled = Map.copyOf(ruled);
  }

  /** The rights to one table: which rows, and how their columns are shown. */
  record Rights(Rows rows, ColumnRules columns) {}

  /** Which rows. */
  sealed interface Rows {}

  /** All of them. */
  record AllRows() implements Rows {}

  /**
   * Those that a rule lets through. Equal where the rules and what they read are.
   *
   * @param claims by rule, what it reads of the caller
   */
  record RuledRows(
      List<RowRule> rules,
      List<List<@Nullable Object>> claims,
      IdentityClaims caller,
      HiddenRows hidden)
      implements Rows {

    RowFilter filter() {
      List<CompiledPredicate.Bound> bound = new ArrayList<>();
      TableId table = rules.get(0).table();
      String role = caller.identity().role();
      Runnable failed = () -> hidden.failed(table, role);
      for (RowRule rule : rules) {
        try {
          rule.bind(caller, failed).ifPresent(bound::add);
        } catch (ValueException e) {
          hidden.missingClaim(table, role);
        }
      }
      return bound.isEmpty() ? new RowFilter.Nothing() : new RowFilter.Ruled(bound, failed);
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof RuledRows o && rules.equals(o.rules) && claims.equals(o.claims);
    }

    @Override
    public int hashCode() {
      return rules.hashCode() * 31 + claims.hashCode();
    }
  }

  /**
   * Tables without rules: all their rows, within a scope.
   *
   * @param only which of them; null for all
   * @param fields by table, the columns; a table that isn't a key shows all
   * @param actor whether it is told who made a change
   */
  record Others(@Nullable Set<TableId> only, Map<TableId, Set<String>> fields, boolean actor) {

    /** What a scope leaves of the tables that aren't {@code ruled}. */
    static Others of(Scope scope, Set<TableId> ruled) {
      Set<TableId> only = scope.tables() == null ? null : new HashSet<>(scope.tables());
      if (only != null) {
        only.removeAll(ruled);
      }
      Map<TableId, Set<String>> fields = new HashMap<>(scope.fields());
      fields.keySet().removeAll(ruled);
      return new Others(only, fields, !scope.restrictsFields());
    }

    Optional<TableAccess> access(TableId table) {
      return only != null && !only.contains(table)
          ? Optional.empty()
          : Optional.of(
              new TableAccess(
                  new RowFilter.Everything(),
                  new ColumnRules(fields.get(table), Set.of(), Map.of(), actor)));
    }
  }

  @Override
  public Optional<TableAccess> access(TableId table) {
    Optional<Rights> rights = ruled.get(table);
    if (rights != null) {
      return rights.map(known -> new TableAccess(filter(known.rows()), known.columns()));
    }
    return others == null ? Optional.empty() : others.access(table);
  }

  private static RowFilter filter(Rows rows) {
    return rows instanceof RuledRows ruledRows ? ruledRows.filter() : new RowFilter.Everything();
  }

  /** What is left of a role's columns within a scope. */
  static ColumnRules scoped(Scope scope, TableId table, ColumnRules columns) {
    Set<String> fields = scope.fields().get(table);
    boolean actor = columns.actor() && !scope.restrictsFields();
    if (fields == null) {
      return new ColumnRules(columns.only(), columns.hidden(), columns.masks(), actor);
    }
    Set<String> only = new HashSet<>(fields);
    only.removeAll(columns.hidden());
    Map<String, Mask> masks = new HashMap<>(columns.masks());
    masks.keySet().retainAll(only);
    return new ColumnRules(only, Set.of(), masks, actor);
  }
}
