package dev.rowcast.edge.request;

import dev.rowcast.catalog.Catalog;
import dev.rowcast.config.TableConfig;
import dev.rowcast.event.TableId;
import dev.rowcast.policy.View;
import dev.rowcast.problem.Problem;
import dev.rowcast.problem.ProblemType;
import dev.rowcast.source.TableDescriptor;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Which table a name in a request means: {@code schema.name}, the configured {@code id}, or the
 * bare name where only one table that the caller may see has it. A table that they may not see is
 * answered like one that there isn't, down to the text. Thread-safe.
 */
public final class TableNames {
  private final Catalog catalog;
  private final Map<String, TableId> configured;

  public TableNames(Catalog catalog, List<TableConfig> configured) {
    this.catalog = catalog;
    this.configured = new LinkedHashMap<>();
    configured.forEach(table -> this.configured.put(table.id(), table.table()));
  }

  /**
   * The tables of these names; null for no name, which means all.
   *
   * @throws dev.rowcast.problem.ProblemException {@code UNKNOWN_TABLE}, or {@code
   *     INVALID_PARAMETER} for an ambiguous name
   */
  public @Nullable Set<TableId> resolveAll(String parameter, Collection<String> names, View view) {
    if (names.isEmpty()) {
      return null;
    }
    Set<TableId> tables = new HashSet<>();
    for (String name : names) {
      tables.add(resolve(parameter, name, table -> view.access(table).isPresent()));
    }
    return tables;
  }

  /**
   * The table of a name.
   *
   * @param parameter where the name stands, for messages
   * @param visible which tables exist for the caller
   */
  public TableId resolve(String parameter, String name, Predicate<TableId> visible) {
    return find(parameter, name, visible).orElseThrow(() -> unknown(parameter, name).asException());
  }

  /**
   * As {@link #resolve}, and empty where it means none.
   *
   * @throws dev.rowcast.problem.ProblemException {@code INVALID_PARAMETER} for an ambiguous name
   */
  public Optional<TableId> find(String parameter, String name, Predicate<TableId> visible) {
    Set<TableId> tables = tables();
    tables.removeIf(visible.negate());
    for (TableId table : tables) {
      if (table.toString().equals(name)) {
        return Optional.of(table);
      }
    }
    TableId byId = configured.get(name);
    if (byId != null && tables.contains(byId)) {
      return Optional.of(byId);
    }
    tables.removeIf(table -> !table.name().equals(name));
    if (tables.size() > 1) {
      String expected = tables.stream().map(TableId::toString).collect(Collectors.joining(" or "));
      throw Problem.parameter(parameter, name, expected).asException();
    }
    return tables.stream().findFirst();
  }

  /** That there is no such table, for a caller who may not know either way. */
  public static Problem unknown(String parameter, String name) {
    String shown = name.length() > 80 ? name.substring(0, 80) + "…" : name;
    return new Problem(
        ProblemType.UNKNOWN_TABLE,
        parameter + ": '" + shown + "' (expected: a table that is captured and may be read)",
        Map.of("parameter", parameter));
  }

  private Set<TableId> tables() {
    Set<TableId> tables = new TreeSet<>(configured.values());
    catalog.tables().stream().map(TableDescriptor::table).forEach(tables::add);
    return tables;
  }
}
