package dev.rowcast.standalone;

import dev.rowcast.config.Configuration;
import dev.rowcast.config.RlsRuleConfig;
import dev.rowcast.config.TableConfig;
import dev.rowcast.event.TableId;
import dev.rowcast.problem.ProblemException;
import dev.rowcast.problem.ProblemType;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What of a changed configuration takes effect while a node runs: {@code roles}, {@code rls_rules},
 * what {@code tables} say of columns' visibility and masks, and {@code auth}. Everything else is
 * built into what runs. Decides only; stateless.
 */
final class Reload {
  private Reload() {}

  /**
   * What is to hold from now on.
   *
   * <p>A table that the new file no longer has is captured until the restart, and would have no
   * rules at all: it keeps those that it had.
   *
   * @param running what holds now
   * @throws ProblemException if an id means another table in the new file
   */
  static Configuration merged(Configuration running, Configuration next) {
    Set<TableId> listed = new HashSet<>();
    Set<String> ids = new HashSet<>();
    next.tables().forEach(table -> listed.add(table.table()));
    next.tables().forEach(table -> ids.add(table.id()));
    List<TableConfig> tables = new ArrayList<>(next.tables());
    List<RlsRuleConfig> rules = new ArrayList<>(next.rlsRules());
    for (TableConfig table : running.tables()) {
      if (listed.contains(table.table())) {
        continue;
      }
      if (ids.contains(table.id())) {
        throw new ProblemException(
            ProblemType.INVALID_PARAMETER,
            "tables: '"
                + table.id()
                + "' is another table than it was (expected: a new id, or a restart)");
      }
      tables.add(table);
      running.rlsRules().stream()
          .filter(rule -> rule.tableId().equals(table.id()))
          .forEach(rules::add);
    }
    return new Configuration(
        running.server(),
        running.kafka(),
        running.connect(),
        running.secret(),
        next.auth(),
        running.sources(),
        tables,
        next.relationships(),
        next.roles(),
        rules);
  }

  /** Whether both show the same rows and columns to everybody. */
  static boolean samePolicy(Configuration one, Configuration other) {
    return one.tables().equals(other.tables())
        && one.roles().equals(other.roles())
        && one.rlsRules().equals(other.rlsRules())
        && one.relationships().equals(other.relationships());
  }

  /**
   * The settings that differ from those that the node was started with, and wait for a restart.
   *
   * @return their names as in the file; empty for none
   */
  static List<String> waitingForRestart(Configuration started, Configuration next) {
    List<String> names = new ArrayList<>();
    addIfOther(names, "server", started.server(), next.server());
    addIfOther(names, "kafka", started.kafka(), next.kafka());
    addIfOther(names, "connect", started.connect(), next.connect());
    addIfOther(names, "secret", started.secret(), next.secret());
    addIfOther(names, "sources", started.sources(), next.sources());
    Map<TableId, TableConfig> before = byTable(started);
    Map<TableId, TableConfig> after = byTable(next);
    Set<TableId> all = new HashSet<>(before.keySet());
    all.addAll(after.keySet());
    all.stream()
        .sorted()
        .filter(table -> !sameCapture(before.get(table), after.get(table)))
        .forEach(table -> names.add("tables: " + table));
    return names;
  }

  private static void addIfOther(
      List<String> names, String name, @Nullable Object before, @Nullable Object after) {
    if (!Objects.equals(before, after)) {
      names.add(name);
    }
  }

  private static Map<TableId, TableConfig> byTable(Configuration configuration) {
    Map<TableId, TableConfig> tables = new LinkedHashMap<>();
    configuration.tables().forEach(table -> tables.put(table.table(), table));
    return tables;
  }

  private static boolean sameCapture(@Nullable TableConfig before, @Nullable TableConfig after) {
    return before != null
        && after != null
        && before.id().equals(after.id())
        && before.sourceId().equals(after.sourceId())
        && before.keyColumns().equals(after.keyColumns())
        && before.live().equals(after.live())
        && types(before).equals(types(after));
  }

  private static Map<String, String> types(TableConfig table) {
    Map<String, String> types = new LinkedHashMap<>();
    for (TableConfig.ColumnConfig column : table.columns()) {
      if (column.dataType() != null) {
        types.put(column.name(), column.dataType());
      }
    }
    return types;
  }
}
