package dev.rowcast.policy.explain;

import dev.rowcast.event.JsonObject;
import dev.rowcast.event.TableId;
import dev.rowcast.policy.eval.ClaimSource;
import dev.rowcast.policy.eval.CompiledPredicate;
import dev.rowcast.policy.eval.RowLookup;
import dev.rowcast.policy.sql.Analyser;
import dev.rowcast.policy.sql.Parser;
import dev.rowcast.policy.sql.RefusedException;
import dev.rowcast.policy.sql.Syntax;
import dev.rowcast.policy.sql.TableColumns;
import dev.rowcast.policy.value.ValueException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;

/**
 * Judges a predicate and, where it is made of {@code AND}, {@code OR} and {@code NOT}, its parts,
 * each compiled and evaluated by itself as the outlets do. What stands inside {@code CASE} and the
 * like isn't taken apart. Belongs to one thread; one per explanation.
 */
public final class PredicateExplainer {
  /** An explanation is for people: what has more parts is told as far as this. */
  private static final int MOST_PARTS = 200;

  private final TableId table;
  private final TableColumns columns;
  private final RowLookup lookup;
  private final ClaimSource claims;
  private final JsonObject row;
  private int parts;

  /**
   * @param table whose row it is, and what the predicate calls it by
   * @param lookup where look-ups are answered, as things are now
   * @param row the image that is judged
   */
  public PredicateExplainer(
      TableId table, TableColumns columns, RowLookup lookup, ClaimSource claims, JsonObject row) {
    this.table = table;
    this.columns = columns;
    this.lookup = lookup;
    this.claims = claims;
    this.row = row;
  }

  /** What a predicate that was read before comes to. */
  public Judged judge(String filter) {
    Parser.Parsed parsed = Parser.parseWithTexts(filter);
    return judge(parsed.predicate(), filter.strip(), parsed);
  }

  private Judged judge(Syntax syntax, String sql, Parser.Parsed parsed) {
    Judged whole = alone(syntax, sql);
    List<Judged> judged = new ArrayList<>();
    if (syntax instanceof Syntax.Logical || syntax instanceof Syntax.Not) {
      for (Syntax part : syntax.parts()) {
        String text = parsed.texts().get(part);
        // IS NOT, NOT IN and the like have a part that isn't written by itself
        if (text != null && parts++ < MOST_PARTS) {
          judged.add(judge(part, text, parsed));
        }
      }
    }
    return whole.with(judged);
  }

  private Judged alone(Syntax syntax, String sql) {
    CompiledPredicate predicate;
    try {
      Analyser.Analysis analysis = Analyser.analyse(syntax, table, table.name(), columns);
      if (!analysis.complete()) {
        return new Judged(sql, Outcome.NOT_USABLE, "the types of its columns aren't known");
      }
      predicate = CompiledPredicate.compile(analysis.predicate(), lookup, InstantSource.system());
    } catch (RefusedException e) {
      // its position is that in the whole rule
      return new Judged(sql, Outcome.NOT_USABLE, e.getMessage());
    } catch (ValueException e) {
      return new Judged(sql, Outcome.NOT_USABLE, e.getMessage());
    }
    CompiledPredicate.Bound bound;
    try {
      bound = predicate.bind(claims);
    } catch (ValueException e) {
      return new Judged(sql, Outcome.CLAIM_MISSING, e.getMessage());
    }
    try {
      Outcome outcome =
          bound
              .truth(row)
              .map(truth -> truth ? Outcome.TRUE : Outcome.FALSE)
              .orElse(Outcome.UNKNOWN);
      return new Judged(sql, outcome, null);
    } catch (ValueException e) {
      return new Judged(sql, Outcome.FAILED, e.getMessage());
    }
  }
}
