package dev.rowcast.policy;

import static java.util.Objects.requireNonNull;

import dev.rowcast.config.Configuration;
import dev.rowcast.config.RlsRuleConfig;
import dev.rowcast.config.RoleConfig;
import dev.rowcast.config.TableConfig;
import dev.rowcast.config.TableConfig.ColumnConfig;
import dev.rowcast.event.TableId;
import dev.rowcast.policy.RowFilter.Everything;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The policy of a {@link Configuration}: {@code rls_rules}, {@code visible_to} and masks.
 *
 * <ul>
 *   <li>A role sees the rows that its rule lets through; where others have a rule and it has none,
 *       it has no access to the table at all. {@code admin} needs no rule to see every row.
 *   <li>{@code visible_to} and {@code unmasked_to} name the roles that see a column, or see it as
 *       it is; {@code admin} has to be named there like any other.
 *   <li>Tables that the configuration doesn't list have no rules: every known role sees them.
 *   <li>A claim that a rule reads and the caller lacks hides all rows of that table from them.
 * </ul>
 *
 * <p>{@code :name} is a claim with its own type, {@code :sub} the subject, {@code :role} the role.
 * {@code current_setting('provisa.user_region')} is the first claim there is of {@code
 * provisa.user_region}, {@code user_region}, {@code region}, as text. A text equals no number.
 *
 * <p>Compiled once; immutable, thread-safe.
 */
public final class ConfiguredPolicy implements Policy {

  /** Told of a claim that a rule reads and a caller lacks, or that isn't a single value. */
  public interface MissingClaims {
    void missing(TableId table, String role);
  }

  private final Map<TableId, TableRules> tables;
  private final Set<String> roles;
  private final MissingClaims missing;

  /**
   * @param hashKey what {@code HASH} masks are keyed with: derived from the configuration's secret,
   *     not empty
   * @param missing called by whichever thread asks for a view
   * @throws InvalidRuleException for a rule or a mask that can't be used
   */
  public ConfiguredPolicy(Configuration configuration, byte[] hashKey, MissingClaims missing) {
    this.missing = missing;
    this.roles = new HashSet<>();
    configuration.roles().forEach(role -> roles.add(role.id()));
    roles.add(RoleConfig.ADMIN);
    Map<String, Map<String, Predicate>> rules = predicates(configuration);
    this.tables = new LinkedHashMap<>();
    for (TableConfig table : configuration.tables()) {
      Map<String, Predicate> byRole = rules.getOrDefault(table.id(), Map.of());
      Map<String, ColumnRules> columns = new HashMap<>();
      roles.forEach(role -> columns.put(role, columnRules(table, role, hashKey)));
      tables.put(table.table(), new TableRules(byRole, columns));
    }
  }

  /** What the configuration says of one table: predicates and column rules, by role. */
  private record TableRules(Map<String, Predicate> rows, Map<String, ColumnRules> columns) {}

  @Override
  public View view(Identity identity) {
    if (!roles.contains(identity.role())) {
      return new ConfiguredView(Map.of(), null);
    }
    Map<TableId, Optional<TableAccess>> ruled = new HashMap<>();
    tables.forEach((table, rules) -> ruled.put(table, access(table, rules, identity)));
    return new ConfiguredView(ruled, ConfiguredView.Others.of(identity.scope(), tables.keySet()));
  }

  private Optional<TableAccess> access(TableId table, TableRules rules, Identity identity) {
    String role = identity.role();
    Scope scope = identity.scope();
    Predicate rule = rules.rows().get(role);
    boolean ruledOut = rule == null && !rules.rows().isEmpty() && !role.equals(RoleConfig.ADMIN);
    if (ruledOut || (scope.tables() != null && !scope.tables().contains(table))) {
      return Optional.empty();
    }
    RowFilter rows =
        rule == null ? new Everything() : rule.bind(identity, () -> missing.missing(table, role));
    ColumnRules columns = rules.columns().getOrDefault(role, ColumnRules.ALL);
    return Optional.of(new TableAccess(rows, ConfiguredView.scoped(scope, table, columns)));
  }

  private static Map<String, Map<String, Predicate>> predicates(Configuration configuration) {
    Map<String, Map<String, Predicate>> byTable = new HashMap<>();
    for (RlsRuleConfig rule : configuration.rlsRules()) {
      Predicate predicate = PredicateParser.parse(rule.tableId(), rule.roleId(), rule.filter());
      Map<String, Predicate> byRole =
          byTable.computeIfAbsent(rule.tableId(), table -> new HashMap<>());
      if (byRole.putIfAbsent(rule.roleId(), predicate) != null) {
        throw InvalidRuleException.predicate(
            rule.tableId(), rule.roleId(), 1, "a second rule", "one rule by table and role");
      }
    }
    return byTable;
  }

  private static ColumnRules columnRules(TableConfig table, String role, byte[] hashKey) {
    Set<String> hidden = new HashSet<>();
    Map<String, Mask> masks = new HashMap<>();
    for (ColumnConfig column : table.columns()) {
      if (column.visibleTo() != null && !column.visibleTo().contains(role)) {
        hidden.add(column.name());
      } else if (column.mask() != null && !column.mask().unmaskedTo().contains(role)) {
        masks.put(column.name(), mask(table, column, hashKey));
      }
    }
    return new ColumnRules(null, hidden, masks, true);
  }

  private static Mask mask(TableConfig table, ColumnConfig column, byte[] hashKey) {
    try {
      return Masks.of(requireNonNull(column.mask()), hashKey);
    } catch (Masks.Unusable e) {
      throw InvalidRuleException.mask(table.id(), column.name(), e.found(), e.expected());
    }
  }
}
