package dev.rowcast.policy;

import dev.rowcast.event.JsonObject;
import dev.rowcast.event.TableId;
import dev.rowcast.policy.eval.ClaimSource;
import dev.rowcast.policy.eval.CompiledPredicate;
import dev.rowcast.policy.eval.RowLookup;
import dev.rowcast.policy.explain.Explanation;
import dev.rowcast.policy.explain.PredicateExplainer;
import dev.rowcast.policy.sql.Analyser;
import dev.rowcast.policy.sql.Parser;
import dev.rowcast.policy.sql.RefusedException;
import dev.rowcast.policy.sql.Syntax;
import dev.rowcast.policy.sql.SyntaxSurvey;
import dev.rowcast.policy.sql.TableColumns;
import dev.rowcast.policy.value.ValueException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The rule of one table for one role. Compiled when the types of its columns are known, and again
 * when they are others. Equal when the same is written for the same table. Thread-safe.
 */
final class RowRule {
  private final TableId table;
  private final String role;
  private final String filter;
  private final Syntax syntax;
  private final SyntaxSurvey survey;
  private final TableColumns columns;
  private final RowLookup lookup;
  private volatile @Nullable Compiled compiled;

  /** What was made of the rule, given what was known of its tables; null where nothing could. */
  private record Compiled(
      List<TableColumns.Known> known, @Nullable CompiledPredicate predicate, boolean fits) {}

  private RowRule(
      TableId table, String role, String filter, TableColumns columns, RowLookup lookup) {
    this.table = table;
    this.role = role;
    this.filter = filter;
    this.syntax = Parser.parse(filter);
    this.survey = SyntaxSurvey.of(syntax);
    this.columns = columns;
    this.lookup = lookup;
  }

  /**
   * Reads a rule and checks it as far as its columns are known.
   *
   * @throws InvalidRuleException where it can't be used
   */
  static RowRule read(
      String tableId,
      TableId table,
      String role,
      String filter,
      TableColumns columns,
      RowLookup lookup) {
    try {
      RowRule rule = new RowRule(table, role, filter, columns, lookup);
      Analyser.Analysis analysis = Analyser.analyse(rule.syntax, table, table.name(), columns);
      if (analysis.complete()) {
        CompiledPredicate unused =
            CompiledPredicate.compile(analysis.predicate(), RowLookup.NONE, InstantSource.system());
      }
      return rule;
    } catch (RefusedException e) {
      throw InvalidRuleException.predicate(tableId, role, e.at() + 1, e.found(), e.expected());
    } catch (ValueException e) {
      throw InvalidRuleException.predicate(
          tableId, role, 1, "a part that fails: " + e.getMessage(), "what can be computed");
    }
  }

  TableId table() {
    return table;
  }

  String role() {
    return role;
  }

  /** What the rule reads, as far as its text tells. */
  SyntaxSurvey survey() {
    return survey;
  }

  /** The claims that the rule reads, as they are: what two callers have to share to see alike. */
  List<@Nullable Object> claims(ClaimSource source) {
    List<@Nullable Object> claims = new ArrayList<>();
    survey.claims().forEach(path -> claims.add(source.claim(path)));
    return claims;
  }

  /** What the rule and its parts come to for a row; see {@link PredicateExplainer}. */
  Explanation.Rule explain(IdentityClaims caller, JsonObject row) {
    Map<String, Object> read = new LinkedHashMap<>();
    for (String path : survey.claims()) {
      Object claim = caller.claim(path);
      if (claim != null) {
        read.put(path, claim);
      }
    }
    return new Explanation.Rule(
        role,
        !role.equals(caller.identity().role()),
        new PredicateExplainer(table, columns, lookup, caller, row).judge(filter),
        List.copyOf(survey.columns()),
        read);
  }

  /**
   * The rule for one caller; empty where it doesn't fit the table, or its types aren't known yet.
   *
   * @param misfit told where it doesn't fit
   * @throws ValueException for a claim that is missing or of another type
   */
  Optional<CompiledPredicate.Bound> bind(ClaimSource claims, Runnable misfit) {
    Compiled now = compiled();
    if (!now.fits()) {
      misfit.run();
    }
    CompiledPredicate predicate = now.predicate();
    return predicate == null ? Optional.empty() : Optional.of(predicate.bind(claims));
  }

  private Compiled compiled() {
    List<TableColumns.Known> known = new ArrayList<>();
    known.add(columns.columns(table));
    survey.tables().forEach(from -> known.add(known(from)));
    Compiled last = compiled;
    if (last == null || !last.known().equals(known)) {
      last = compile(known);
      compiled = last;
    }
    return last;
  }

  private TableColumns.Known known(SyntaxSurvey.From from) {
    return columns
        .table(from.schema(), from.table())
        .map(columns::columns)
        .orElse(TableColumns.Known.NOTHING);
  }

  private Compiled compile(List<TableColumns.Known> known) {
    try {
      Analyser.Analysis analysis = Analyser.analyse(syntax, table, table.name(), columns);
      return new Compiled(
          known,
          analysis.complete()
              ? CompiledPredicate.compile(analysis.predicate(), lookup, InstantSource.system())
              : null,
          true);
    } catch (RefusedException | ValueException e) {
      return new Compiled(known, null, false);
    }
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof RowRule o && table.equals(o.table) && filter.equals(o.filter);
  }

  @Override
  public int hashCode() {
    return table.hashCode() * 31 + filter.hashCode();
  }
}
