package dev.rowcast.policy;

import dev.rowcast.event.TableId;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A view with everything decided: two are equal when they show the same, whoever they are for.
 *
 * @param ruled the access to each table of the configuration, the scope folded in; empty for none
 * @param others what is seen of tables that the configuration doesn't list; null for nothing
 */
record ConfiguredView(Map<TableId, Optional<TableAccess>> ruled, @Nullable Others others)
    implements View {
  ConfiguredView {
    ruled = Map.copyOf(ruled);
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
    Optional<TableAccess> access = ruled.get(table);
    if (access != null) {
      return access;
    }
    return others == null ? Optional.empty() : others.access(table);
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
