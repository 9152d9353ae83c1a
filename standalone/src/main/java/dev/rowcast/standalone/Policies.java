package dev.rowcast.standalone;

import dev.rowcast.catalog.Catalog;
import dev.rowcast.config.Configuration;
import dev.rowcast.config.RlsRuleConfig;
import dev.rowcast.config.RuleFault;
import dev.rowcast.config.RuleFault.Kind;
import dev.rowcast.config.Secret;
import dev.rowcast.config.TableConfig;
import dev.rowcast.config.TableConfig.ColumnConfig;
import dev.rowcast.event.Column;
import dev.rowcast.event.TableId;
import dev.rowcast.policy.ConfiguredColumns;
import dev.rowcast.policy.ConfiguredPolicy;
import dev.rowcast.policy.HiddenRows;
import dev.rowcast.policy.InvalidRuleException;
import dev.rowcast.policy.Policy;
import dev.rowcast.policy.eval.RowLookup;
import dev.rowcast.policy.lookup.RowIndexes;
import dev.rowcast.problem.ProblemException;
import dev.rowcast.problem.ProblemType;
import dev.rowcast.source.TableDescriptor;
import io.micrometer.core.instrument.MeterRegistry;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Compiles a configuration's rules. */
final class Policies {
  private static final HiddenRows UNCOUNTED = (table, role) -> {};

  private Policies() {}

  /**
   * The rules, and the rows of other tables that they ask for, which are empty yet.
   *
   * @param catalog where the types of columns are learnt
   * @throws ProblemException naming the rule or mask that can't be used
   */
  static Compiled compile(
      Configuration configuration, Secret secret, Catalog catalog, MeterRegistry registry) {
    HiddenRows hidden = new CountedHiddenRows(registry);
    RowIndexes lookups =
        new RowIndexes(
            compile(configuration, secret, catalog, hidden, RowLookup.NONE).lookupTables());
    return new Compiled(compile(configuration, secret, catalog, hidden, lookups), lookups);
  }

  /**
   * The rules of a configuration that takes another's place.
   *
   * @param lookups what is followed already
   * @throws ProblemException naming the rule or mask that can't be used, and where a rule asks for
   *     rows or columns that aren't followed
   */
  static ConfiguredPolicy recompile(
      Configuration configuration,
      Secret secret,
      Catalog catalog,
      MeterRegistry registry,
      RowIndexes lookups) {
    HiddenRows hidden = new CountedHiddenRows(registry);
    return followed(compile(configuration, secret, catalog, hidden, lookups), lookups);
  }

  /** As {@link #recompile}, to be tried out: it counts nothing and has nothing kept for it. */
  static ConfiguredPolicy tried(
      Configuration configuration, Secret secret, Catalog catalog, RowIndexes lookups) {
    return followed(compile(configuration, secret, catalog, UNCOUNTED, lookups.passing()), lookups);
  }

  /**
   * The rules with what the configuration alone tells: no look-ups, and columns as far as it gives
   * their types.
   *
   * @throws ProblemException naming the rule or mask that can't be used
   */
  static ConfiguredPolicy offline(Configuration configuration) {
    Secret secret = configuration.secret();
    return compile(
        configuration,
        secret == null ? new Secret("none") : secret,
        table -> List.of(),
        UNCOUNTED,
        RowLookup.NONE);
  }

  private static ConfiguredPolicy followed(ConfiguredPolicy policy, RowIndexes lookups) {
    policy
        .lookupTables()
        .forEach(
            (table, columns) -> {
              if (!lookups.follows(table, columns)) {
                throw new ProblemException(
                    ProblemType.INVALID_PARAMETER,
                    "a rule looks rows of "
                        + table
                        + " up by "
                        + String.join(", ", columns)
                        + ", which no rule did when this node started (expected: a restart)");
              }
            });
    return policy;
  }

  private static ConfiguredPolicy compile(
      Configuration configuration,
      Secret secret,
      Catalog catalog,
      HiddenRows hidden,
      RowLookup lookups) {
    return compile(
        configuration,
        secret,
        table -> catalog.table(table).map(TableDescriptor::columns).orElse(List.of()),
        hidden,
        lookups);
  }

  private static ConfiguredPolicy compile(
      Configuration configuration,
      Secret secret,
      Function<TableId, List<Column>> captured,
      HiddenRows hidden,
      RowLookup lookups) {
    ConfiguredColumns columns = new ConfiguredColumns(configuration, captured);
    try {
      return new ConfiguredPolicy(configuration, hashKey(secret), hidden, columns, lookups);
    } catch (InvalidRuleException e) {
      ProblemException problem =
          new ProblemException(ProblemType.INVALID_PARAMETER, e.getMessage());
      problem.initCause(e);
      throw problem;
    }
  }

  /** A policy, and the rows that it asks for. */
  record Compiled(Policy policy, RowIndexes lookups) {}

  /**
   * What can't be used of a configuration's rules and masks: all of it, not only what is found
   * first.
   */
  static List<RuleFault> faults(Configuration configuration) {
    Optional<RuleFault> first = fault(Kind.RULE, configuration);
    if (first.isEmpty()) {
      return List.of();
    }
    List<TableConfig> plain = new ArrayList<>();
    configuration.tables().forEach(table -> plain.add(withMasks(table, column -> false)));
    List<RuleFault> faults = new ArrayList<>();
    for (RlsRuleConfig rule : configuration.rlsRules()) {
      fault(Kind.RULE, configuration.withTables(plain).withRlsRules(List.of(rule)))
          .ifPresent(faults::add);
    }
    for (TableConfig table : configuration.tables()) {
      for (ColumnConfig masked : table.columns()) {
        if (masked.mask() != null) {
          TableConfig alone = withMasks(table, column -> column.equals(masked));
          fault(Kind.MASK, configuration.withRlsRules(List.of()).withTables(List.of(alone)))
              .ifPresent(faults::add);
        }
      }
    }
    // rules that are right alone and not together
    return faults.isEmpty() ? List.of(first.get()) : faults;
  }

  private static Optional<RuleFault> fault(Kind kind, Configuration configuration) {
    try {
      var unused = new ConfiguredPolicy(configuration, new byte[] {0}, (table, role) -> {});
      return Optional.empty();
    } catch (InvalidRuleException e) {
      return Optional.of(new RuleFault(kind, e.table(), e.subject(), e.problem(), e.expected()));
    }
  }

  /** The table with those of its masks only. */
  private static TableConfig withMasks(TableConfig table, Predicate<ColumnConfig> kept) {
    List<ColumnConfig> columns = new ArrayList<>();
    for (ColumnConfig column : table.columns()) {
      columns.add(
          kept.test(column)
              ? column
              : new ColumnConfig(column.name(), column.dataType(), column.visibleTo(), null));
    }
    return new TableConfig(
        table.id(), table.sourceId(), table.table(), table.keyColumns(), columns, table.live());
  }

  // a key of its own for every use of the one secret
  private static byte[] hashKey(Secret secret) {
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(secret.reveal().getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
      return mac.doFinal("rowcast hash masks".getBytes(StandardCharsets.US_ASCII));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java platform has HmacSHA256", e);
    }
  }
}
