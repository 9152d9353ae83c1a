package dev.rowcast.policy.sql;

import dev.rowcast.event.TableId;
import dev.rowcast.policy.value.Casts;
import dev.rowcast.policy.value.Numbers;
import dev.rowcast.policy.value.SqlType;
import dev.rowcast.policy.value.SqlType.Base;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A typed expression: names are resolved, and every operator's operands have the type that it works
 * on. Records all through, so that equal expressions are equal. Immutable.
 */
public sealed interface Expr {

  SqlType type();

  /** What it is computed from, look-ups' keys and conditions included. */
  default List<Expr> operands() {
    return List.of();
  }

  /** A value that stands in the predicate; null for SQL NULL. */
  record Constant(SqlType type, @Nullable Object value) implements Expr {
    public static final Constant TRUE = new Constant(SqlType.BOOLEAN, true);
    public static final Constant FALSE = new Constant(SqlType.BOOLEAN, false);
  }

  /**
   * A column.
   *
   * @param level 0 for the row that is judged, 1 for the row of a look-up, 2 for one inside that
   */
  record Column(SqlType type, int level, String name) implements Expr {}

  /** A claim, of the type that its place asks for. */
  record Claim(SqlType type, String path) implements Expr {}

  /** {@code current_setting}: a claim as text. */
  record Setting(String name, boolean missingOk) implements Expr {
    @Override
    public SqlType type() {
      return SqlType.TEXT;
    }
  }

  /** The time at which the row is judged, as a {@code timestamptz} or a {@code date}. */
  record Now(SqlType type) implements Expr {}

  /** What is true, false or unknown. */
  sealed interface Truth extends Expr {
    @Override
    default SqlType type() {
      return SqlType.BOOLEAN;
    }
  }

  record And(List<Expr> parts) implements Truth {
    @Override
    public List<Expr> operands() {
      return parts;
    }
  }

  record Or(List<Expr> parts) implements Truth {
    @Override
    public List<Expr> operands() {
      return parts;
    }
  }

  record Not(Expr operand) implements Truth {
    @Override
    public List<Expr> operands() {
      return List.of(operand);
    }
  }

  /** {@code operand IS NULL}, {@code IS TRUE} and so on. */
  record Is(Expr operand, Syntax.Is.What what) implements Truth {
    @Override
    public List<Expr> operands() {
      return List.of(operand);
    }
  }

  /** Both operands are of type {@code on}. */
  record Compare(Comparison comparison, Base on, Expr left, Expr right) implements Truth {
    @Override
    public List<Expr> operands() {
      return List.of(left, right);
    }
  }

  /** {@code IS DISTINCT FROM}: null equals null. */
  record Distinct(Base on, Expr left, Expr right) implements Truth {
    @Override
    public List<Expr> operands() {
      return List.of(left, right);
    }
  }

  /** {@code left = ANY (array)} and the like; the array's elements are of type {@code on}. */
  record Quantified(Comparison comparison, boolean all, Base on, Expr left, Expr array)
      implements Truth {
    @Override
    public List<Expr> operands() {
      return List.of(left, array);
    }
  }

  /** All of type text; {@code escape} null for the backslash. */
  record Like(Expr operand, Expr pattern, @Nullable Expr escape, boolean ignoresCase)
      implements Truth {
    @Override
    public List<Expr> operands() {
      return escape == null ? List.of(operand, pattern) : List.of(operand, pattern, escape);
    }
  }

  /** Whether a look-up finds a row. */
  record Exists(Lookup lookup) implements Truth {
    @Override
    public List<Expr> operands() {
      return lookup.operands();
    }
  }

  /**
   * {@code left IN (SELECT item …)}.
   *
   * @param match finds the rows whose item equals {@code left}
   * @param all finds the rows that it is looked for in
   * @param exact whether it matters that it be unknown rather than false
   */
  record InRows(Expr left, Lookup match, Lookup all, Expr item, boolean exact) implements Truth {
    @Override
    public List<Expr> operands() {
      return Stream.concat(Stream.of(left), Stream.concat(all.operands().stream(), Stream.of(item)))
          .toList();
    }
  }

  record Array(SqlType type, List<Expr> elements) implements Expr {
    @Override
    public List<Expr> operands() {
      return elements;
    }
  }

  record Case(SqlType type, List<Branch> branches, Expr otherwise) implements Expr {
    @Override
    public List<Expr> operands() {
      return Stream.concat(
              branches.stream().flatMap(b -> Stream.of(b.condition(), b.result())),
              Stream.of(otherwise))
          .toList();
    }
  }

  record Branch(Expr condition, Expr result) {}

  record Coalesce(SqlType type, List<Expr> parts) implements Expr {
    @Override
    public List<Expr> operands() {
      return parts;
    }
  }

  record Arithmetic(SqlType type, Numbers.Operator operator, Expr left, Expr right)
      implements Expr {
    @Override
    public List<Expr> operands() {
      return List.of(left, right);
    }
  }

  /** Arithmetic of dates, timestamps and intervals. */
  record TimeArithmetic(SqlType type, TimeOperator operator, Expr left, Expr right)
      implements Expr {
    @Override
    public List<Expr> operands() {
      return List.of(left, right);
    }
  }

  record Negate(SqlType type, Expr operand) implements Expr {
    @Override
    public List<Expr> operands() {
      return List.of(operand);
    }
  }

  record Call(SqlType type, Function function, List<Expr> arguments) implements Expr {
    @Override
    public List<Expr> operands() {
      return arguments;
    }
  }

  record Cast(SqlType type, Casts.Limit limit, Expr operand) implements Expr {
    @Override
    public List<Expr> operands() {
      return List.of(operand);
    }
  }

  /** {@code ->}, or {@code ->>} where it is {@code asText}; by text or by integer. */
  record JsonGet(SqlType type, boolean asText, Expr json, Expr key) implements Expr {
    @Override
    public List<Expr> operands() {
      return List.of(json, key);
    }
  }

  /** How two values compare. */
  enum Comparison {
    EQUAL("="),
    NOT_EQUAL("<>"),
    LESS("<"),
    LESS_OR_EQUAL("<="),
    GREATER(">"),
    GREATER_OR_EQUAL(">=");

    private final String sign;

    Comparison(String sign) {
      this.sign = sign;
    }

    public String sign() {
      return sign;
    }

    static Comparison of(String sign) {
      for (Comparison comparison : values()) {
        if (comparison.sign.equals(sign)) {
          return comparison;
        }
      }
      throw new IllegalArgumentException(sign);
    }
  }

  /** What is done with moments and spans, by the types of the operands. */
  enum TimeOperator {
    DATE_PLUS_DAYS,
    DATE_MINUS_DAYS,
    DATE_MINUS_DATE,
    TIMESTAMP_PLUS_INTERVAL,
    TIMESTAMP_MINUS_INTERVAL,
    TIMESTAMP_MINUS_TIMESTAMP,
    INTERVAL_PLUS_INTERVAL,
    INTERVAL_MINUS_INTERVAL
  }

  /** The functions that there are. */
  enum Function {
    LOWER,
    UPPER,
    LENGTH,
    ABS,
    CONCAT
  }

  /**
   * Rows of another table: those whose keys equal values known outside, and for which the rest
   * holds.
   *
   * @param level the level of its rows in {@link Column}s
   * @param columns what the keys and the rest read of its rows
   */
  record Lookup(TableId table, int level, List<Key> keys, Expr rest, List<String> columns) {
    List<Expr> operands() {
      return Stream.concat(
              keys.stream().flatMap(key -> Stream.of(key.inner(), key.outer())), Stream.of(rest))
          .toList();
    }
  }

  /**
   * An equality that a look-up finds rows by.
   *
   * @param inner a column of its row, as it is or cast
   * @param on the type that both sides have
   * @param outer reads outer rows and claims
   */
  record Key(Expr inner, Base on, Expr outer) {}
}
