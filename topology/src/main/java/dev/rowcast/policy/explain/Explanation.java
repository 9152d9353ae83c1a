package dev.rowcast.policy.explain;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Why a reader sees a row, or doesn't. It names columns and says what predicates come to, but holds
 * no value of the row: whoever shows it adds those that may be shown.
 *
 * @param access what decides about the table's rows
 * @param visible whether the row is seen; of a row that is gone, whether its delete is
 * @param rules the rules that are asked, the role's own first; empty unless rules decide
 * @param columns what becomes of each column, in the row's order
 */
public record Explanation(
    Access access, boolean visible, List<Rule> rules, List<ColumnFate> columns) {
  public Explanation {
    rules = List.copyOf(rules);
    columns = List.copyOf(columns);
  }

  /** Nothing of the table is seen. */
  public static Explanation closed(Access access) {
    return new Explanation(access, false, List.of(), List.of());
  }

  /**
   * In a sentence.
   *
   * @param gone whether the row is, so that only its key is told
   */
  public String reason(boolean gone) {
    return switch (access) {
      case UNKNOWN_ROLE -> "the configuration has no such role";
      case OUT_OF_SCOPE -> "the credential's scope leaves the table out";
      case NO_RULE -> "other roles have a rule for the table, this one and those it inherits none";
      case EVERY_ROW -> "no rule limits the table's rows for this role";
      case NOT_TOLD -> "what decides isn't told";
      case BY_RULES ->
          gone
              ? "a delete is told to whoever may read the table, as its row key"
              : visible ? "a rule is true of the row" : "no rule is true of the row";
    };
  }

  /** What decides about the rows of a table. */
  public enum Access {
    /** The configuration has no such role: it sees nothing. */
    UNKNOWN_ROLE,
    /** The credential's scope leaves the table out. */
    OUT_OF_SCOPE,
    /** Others have a rule for the table, the role and those that it inherits have none. */
    NO_RULE,
    /** Every row: nobody has a rule for the table, or the role needs none. */
    EVERY_ROW,
    /** What a rule of the role, or of one that it inherits, lets through. */
    BY_RULES,
    /** Whatever decides can't be told. */
    NOT_TOLD;

    /** How it is written in answers: {@code by-rules}. */
    public String wire() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
  }

  /**
   * A rule that was asked. One that is true shows the row.
   *
   * @param role whose rule it is
   * @param inherited whether the reader's role only inherits it
   * @param judged the predicate and its parts
   * @param columns the names of columns that stand in it
   * @param claims what it reads of the caller, as far as there is such a claim
   */
  public record Rule(
      String role,
      boolean inherited,
      Judged judged,
      List<String> columns,
      Map<String, Object> claims) {
    public Rule {
      columns = List.copyOf(columns);
      claims = Map.copyOf(claims);
    }
  }

  /**
   * What becomes of a column.
   *
   * @param fate how it is shown
   * @param mask the kind of mask; null unless it is masked
   */
  public record ColumnFate(String name, Fate fate, @Nullable String mask) {}

  /** How a column is shown. */
  public enum Fate {
    SHOWN,
    MASKED,
    /** Absent: {@code visible_to} doesn't name the role. */
    HIDDEN,
    /** Absent: the credential isn't granted the field. */
    NOT_GRANTED;

    /** How it is written in answers: {@code not-granted}. */
    public String wire() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
  }
}
