package dev.rowcast.config;

import dev.rowcast.config.TableConfig.ColumnConfig;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Reads a proposal: {@code roles}, {@code rls_rules} and the {@code columns} of {@code tables} that
 * would take the place of those that hold. What it leaves out stays as it is.
 */
final class ProposalReader {
  private final Configuration running;
  private final Faults faults;

  ProposalReader(Configuration running, Faults faults) {
    this.running = running;
    this.faults = faults;
  }

  Configuration read(Section root) {
    RuleReader reader = new RuleReader(new RulePlaces(), faults);
    List<RoleConfig> roles = running.roles();
    if (root.has("roles")) {
      roles = List.copyOf(reader.roles(root.sections("roles")).values());
    }
    Set<String> known = roles.stream().map(RoleConfig::id).collect(Collectors.toSet());
    List<TableConfig> tables = tables(root.sections("tables"), known);
    List<RlsRuleConfig> rules = running.rlsRules();
    if (root.has("rls_rules")) {
      Set<String> ids = running.tables().stream().map(TableConfig::id).collect(Collectors.toSet());
      rules = reader.rlsRules(root.sections("rls_rules"), ids, known);
    } else {
      for (RlsRuleConfig rule : rules) {
        if (!known.contains(rule.roleId())) {
          faults.add(
              root.place(),
              "roles: no '" + rule.roleId() + "', which has a rule for '" + rule.tableId() + "'",
              "the role, or rls_rules without it");
        }
      }
    }
    root.end();
    return new Configuration(
        running.server(),
        running.kafka(),
        running.connect(),
        running.secret(),
        running.auth(),
        running.sources(),
        tables,
        running.relationships(),
        roles,
        rules);
  }

  private List<TableConfig> tables(List<Section> sections, Set<String> roles) {
    Map<String, List<ColumnConfig>> columns = new HashMap<>();
    Set<String> ids = running.tables().stream().map(TableConfig::id).collect(Collectors.toSet());
    for (Section section : sections) {
      if (!section.has("id")) {
        faults.missing(section.place(), "id", "the id of a table");
      }
      String id = section.reference("id", "table id", ids);
      List<ColumnConfig> read =
          new ColumnReader(roles, faults).read(section.sections("columns"), (name, place) -> {});
      section.end();
      if (id != null && columns.put(id, read) != null) {
        faults.add(section.placeOf("id"), "table id '" + id + "' again", "each table once");
      }
    }
    List<TableConfig> tables = new ArrayList<>();
    for (TableConfig table : running.tables()) {
      tables.add(
          new TableConfig(
              table.id(),
              table.sourceId(),
              table.table(),
              table.keyColumns(),
              columns.getOrDefault(table.id(), table.columns()),
              table.live()));
    }
    return tables;
  }
}
