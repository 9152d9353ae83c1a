package dev.rowcast.policy;

import static java.util.Objects.requireNonNull;

import dev.rowcast.config.Configuration;
import dev.rowcast.config.RlsRuleConfig;
import dev.rowcast.config.RoleConfig;
import dev.rowcast.config.TableConfig;
import dev.rowcast.config.TableConfig.ColumnConfig;
import dev.rowcast.event.JsonObject;
import dev.rowcast.event.TableId;
import dev.rowcast.policy.eval.RowLookup;
import dev.rowcast.policy.explain.Explanation;
import dev.rowcast.policy.explain.Explanation.Access;
import dev.rowcast.policy.explain.Outcome;
import dev.rowcast.policy.sql.SyntaxSurvey;
import dev.rowcast.policy.sql.TableColumns;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The policy of a {@link Configuration}: {@code rls_rules}, {@code visible_to} and masks.
 *
 * <ul>
 *   <li>A role sees the rows that its rule lets through, or the rule of a role that it inherits;
 *       where others have a rule and these have none, it has no access to the table at all. {@code
 *       admin} needs no rule to see every row.
 *   <li>{@code visible_to} and {@code unmasked_to} name the roles that see a column, or see it as
 *       it is, and with them the roles that inherit these; {@code admin} has to be named there like
 *       any other.
 *   <li>Tables that the configuration doesn't list have no rules: every known role sees them.
 *   <li>A claim that a rule reads and the caller lacks closes that rule for them, as do columns
 *       whose types aren't known yet.
 * </ul>
 *
 * <p>Immutable but for what is compiled once types are known; thread-safe.
 */
public final class ConfiguredPolicy implements Policy {
  private final Map<TableId, TableRules> tables = new LinkedHashMap<>();
  private final Map<String, Set<String>> roles = new HashMap<>();
  private final TableColumns columns;
  private final RowLookup lookup;
  private final HiddenRows hidden;

  /**
   * With what the configuration alone tells of columns, and without look-ups: to check it.
   *
   * @throws InvalidRuleException for a rule or a mask that can't be used
   */
  public ConfiguredPolicy(Configuration configuration, byte[] hashKey, HiddenRows hidden) {
    this(
        configuration,
        hashKey,
        hidden,
        new ConfiguredColumns(configuration, table -> List.of()),
        RowLookup.NONE);
  }

  /**
   * @param hashKey what {@code HASH} masks are keyed with: derived from the configuration's secret,
   *     not empty
   * @param hidden told on whichever thread asks for a view, or tests a row
   * @param columns what is known of columns, now and later
   * @param lookup where predicates over other tables are answered
   * @throws InvalidRuleException for a rule or a mask that can't be used
   */
  public ConfiguredPolicy(
      Configuration configuration,
      byte[] hashKey,
      HiddenRows hidden,
      TableColumns columns,
      RowLookup lookup) {
    this.columns = columns;
    this.lookup = lookup;
    this.hidden = hidden;
    configuration.roles().forEach(role -> roles.put(role.id(), inherited(configuration, role)));
    roles.putIfAbsent(RoleConfig.ADMIN, Set.of(RoleConfig.ADMIN));
    Map<TableId, Map<String, RowRule>> rules = rules(configuration);
    for (TableConfig table : configuration.tables()) {
      Map<String, ColumnRules> shown = new HashMap<>();
      roles.forEach((role, with) -> shown.put(role, columnRules(table, with, hashKey)));
      tables.put(
          table.table(), new TableRules(table, rules.getOrDefault(table.table(), Map.of()), shown));
    }
  }

  /** What the configuration says of one table: rules and column rules, by role. */
  private record TableRules(
      TableConfig config, Map<String, RowRule> rows, Map<String, ColumnRules> columns) {

    /** The rules that are asked for a role. */
    List<RowRule> of(Set<String> with) {
      return with.stream().map(rows::get).filter(rule -> rule != null).toList();
    }

    /** Whether a role sees every row, whatever rules say. */
    boolean showAll(String role, Set<String> with) {
      boolean asAdmin = with.contains(RoleConfig.ADMIN) && !rows.containsKey(RoleConfig.ADMIN);
      return rows.isEmpty() || (asAdmin && !rows.containsKey(role));
    }
  }

  /** The role itself first, then what it inherits, at any distance. */
  private static Set<String> inherited(Configuration configuration, RoleConfig role) {
    Set<String> all = new LinkedHashSet<>();
    List<String> next = new ArrayList<>(List.of(role.id()));
    while (!next.isEmpty()) {
      String id = next.remove(0);
      if (all.add(id)) {
        configuration.roles().stream()
            .filter(other -> other.id().equals(id))
            .forEach(other -> next.addAll(other.inherits()));
      }
    }
    return Collections.unmodifiableSet(all);
  }

  /** The tables that rules look rows up in, each with the columns that may be read of it. */
  public Map<TableId, Set<String>> lookupTables() {
    Map<TableId, Set<String>> looked = new HashMap<>();
    for (TableRules table : tables.values()) {
      for (RowRule rule : table.rows().values()) {
        rule.survey()
            .tables()
            .forEach(
                from ->
                    columns
                        .table(from.schema(), from.table())
                        .ifPresent(
                            id ->
                                looked
                                    .computeIfAbsent(id, any -> new TreeSet<>())
                                    .addAll(rule.survey().columns())));
      }
    }
    return looked;
  }

  @Override
  public View view(Identity identity) {
    Set<String> with = roles.get(identity.role());
    if (with == null) {
      return new ConfiguredView(Map.of(), null);
    }
    Map<TableId, Optional<ConfiguredView.Rights>> ruled = new HashMap<>();
    tables.forEach((table, rules) -> ruled.put(table, rights(table, rules, with, identity)));
    return new ConfiguredView(ruled, ConfiguredView.Others.of(identity.scope(), tables.keySet()));
  }

  private Optional<ConfiguredView.Rights> rights(
      TableId table, TableRules rules, Set<String> with, Identity identity) {
    Scope scope = identity.scope();
    List<RowRule> own = rules.of(with);
    boolean all = rules.showAll(identity.role(), with);
    if (!scope.admits(table) || (own.isEmpty() && !all)) {
      return Optional.empty();
    }
    ColumnRules columnRules = rules.columns().getOrDefault(identity.role(), ColumnRules.ALL);
    return Optional.of(
        new ConfiguredView.Rights(
            all ? new ConfiguredView.AllRows() : ruled(own, new IdentityClaims(identity)),
            ConfiguredView.scoped(scope, table, columnRules)));
  }

  @Override
  public Explanation explain(
      Identity identity, TableId table, JsonObject key, @Nullable JsonObject row) {
    Set<String> with = roles.get(identity.role());
    if (with == null) {
      return Explanation.closed(Access.UNKNOWN_ROLE);
    }
    if (!identity.scope().admits(table)) {
      return Explanation.closed(Access.OUT_OF_SCOPE);
    }
    TableRules rules = tables.get(table);
    List<RowRule> own = rules == null ? List.of() : rules.of(with);
    boolean all = rules == null || rules.showAll(identity.role(), with);
    if (own.isEmpty() && !all) {
      return Explanation.closed(Access.NO_RULE);
    }
    List<Explanation.Rule> judged = new ArrayList<>();
    if (!all && row != null) {
      IdentityClaims caller = new IdentityClaims(identity);
      own.forEach(rule -> judged.add(rule.explain(caller, row)));
    }
    boolean shown =
        all
            || row == null
            || judged.stream().anyMatch(rule -> rule.judged().outcome() == Outcome.TRUE);
    return new Explanation(
        all ? Access.EVERY_ROW : Access.BY_RULES,
        shown,
        judged,
        ColumnFates.of(
            row == null ? key : row,
            identity.scope().fields().get(table),
            rules == null ? null : rules.config(),
            rules == null
                ? ColumnRules.ALL
                : rules.columns().getOrDefault(identity.role(), ColumnRules.ALL)));
  }

  /**
   * Refuses rules that {@code before} hasn't on the same table and that read what somebody doesn't
   * see by it: by what such a rule lets through they would learn of it.
   *
   * @throws InvalidRuleException naming the rule, and a column or table that it may not read
   */
  public void requireNothingBeyond(ConfiguredPolicy before, Identity asker) {
    View view = before.view(asker);
    tables.forEach(
        (table, rules) -> {
          TableRules known = before.tables.get(table);
          for (RowRule rule : rules.rows().values()) {
            if (known == null || !known.rows().containsValue(rule)) {
              requireSeen(rule, rules.config().id(), view);
            }
          }
        });
  }

  private void requireSeen(RowRule rule, String tableId, View view) {
    requireColumnsSeen(rule, tableId, rule.table(), view);
    for (SyntaxSurvey.From from : rule.survey().tables()) {
      TableId looked = columns.table(from.schema(), from.table()).orElse(null);
      Optional<TableAccess> access = looked == null ? Optional.empty() : view.access(looked);
      if (access.isEmpty() || !(access.get().rows() instanceof RowFilter.Everything)) {
        throw unseen(rule, tableId, "rows of " + from.table());
      }
      requireColumnsSeen(rule, tableId, looked, view);
    }
  }

  private static void requireColumnsSeen(RowRule rule, String tableId, TableId of, View view) {
    ColumnRules shown =
        view.access(of)
            .map(TableAccess::columns)
            .orElseThrow(() -> unseen(rule, tableId, "rows of " + of.name()));
    for (String column : rule.survey().columns()) {
      if (!shown.shows(column) || shown.masks().containsKey(column)) {
        throw unseen(rule, tableId, column);
      }
    }
  }

  private static InvalidRuleException unseen(RowRule rule, String tableId, String what) {
    return InvalidRuleException.predicate(
        tableId, rule.role(), 1, what, "only what the one who asks sees whole");
  }

  private ConfiguredView.Rows ruled(List<RowRule> rules, IdentityClaims caller) {
    return new ConfiguredView.RuledRows(
        rules, rules.stream().map(rule -> rule.claims(caller)).toList(), caller, hidden);
  }

  private Map<TableId, Map<String, RowRule>> rules(Configuration configuration) {
    Map<String, TableId> byId = new HashMap<>();
    configuration.tables().forEach(table -> byId.put(table.id(), table.table()));
    Map<TableId, Map<String, RowRule>> byTable = new HashMap<>();
    for (RlsRuleConfig rule : configuration.rlsRules()) {
      TableId table = requireNonNull(byId.get(rule.tableId()), "a table of the configuration");
      RowRule read =
          RowRule.read(rule.tableId(), table, rule.roleId(), rule.filter(), columns, lookup);
      Map<String, RowRule> byRole = byTable.computeIfAbsent(table, any -> new HashMap<>());
      if (byRole.putIfAbsent(rule.roleId(), read) != null) {
        throw InvalidRuleException.predicate(
            rule.tableId(), rule.roleId(), 1, "a second rule", "one rule by table and role");
      }
    }
    return byTable;
  }

  private ColumnRules columnRules(TableConfig table, Set<String> with, byte[] hashKey) {
    Set<String> absent = new HashSet<>();
    Map<String, Mask> masks = new HashMap<>();
    for (ColumnConfig column : table.columns()) {
      List<String> visibleTo = column.visibleTo();
      if (visibleTo != null && Collections.disjoint(visibleTo, with)) {
        absent.add(column.name());
      } else if (column.mask() != null && Collections.disjoint(column.mask().unmaskedTo(), with)) {
        masks.put(column.name(), mask(table, column, hashKey));
      }
    }
    return new ColumnRules(null, absent, masks, true);
  }

  private Mask mask(TableConfig table, ColumnConfig column, byte[] hashKey) {
    try {
      MaskedTypes.check(
          requireNonNull(column.mask()), columns.columns(table.table()), column.name());
      return Masks.of(requireNonNull(column.mask()), hashKey);
    } catch (Masks.Unusable e) {
      throw InvalidRuleException.mask(table.id(), column.name(), e.found(), e.expected());
    }
  }
}
