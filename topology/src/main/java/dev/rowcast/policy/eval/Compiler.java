package dev.rowcast.policy.eval;

import dev.rowcast.event.JsonObject;
import dev.rowcast.policy.sql.Expr;
import dev.rowcast.policy.sql.Lookups;
import dev.rowcast.policy.value.Ordering;
import dev.rowcast.policy.value.SqlType.Base;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Makes closures of conditions. What depends on claims alone is computed once per caller and kept
 * in {@link Slots}. One per predicate; {@code level} is that of the row at hand.
 */
final class Compiler {
  private static final JsonObject NO_ROW = JsonObject.EMPTY;

  private final Slots slots = new Slots();
  private final RowLookup lookup;
  private final @Nullable ClaimSource claims;
  private final OperandCompiler operands = new OperandCompiler(this);

  Compiler(RowLookup lookup) {
    this(lookup, null);
  }

  private Compiler(RowLookup lookup, @Nullable ClaimSource claims) {
    this.lookup = lookup;
    this.claims = claims;
  }

  /** The claims that everything is computed from on the spot; null where they come later. */
  @Nullable ClaimSource claims() {
    return claims;
  }

  Slots slots() {
    return slots;
  }

  Condition condition(Expr expr, int level) {
    if (expr instanceof Expr.And and) {
      return and(each(and.parts(), level));
    }
    if (expr instanceof Expr.Or or) {
      return or(each(or.parts(), level));
    }
    if (expr instanceof Expr.Not not) {
      Condition operand = condition(not.operand(), level);
      return rows -> Condition.not(operand.of(rows));
    }
    if (expr instanceof Expr.Is is) {
      return is(is, level);
    }
    if (expr instanceof Expr.Compare compare) {
      Condition fast = FastComparisons.of(compare, level, this);
      return fast != null ? fast : compare(compare, level);
    }
    if (expr instanceof Expr.Distinct distinct) {
      return distinct(distinct, level);
    }
    if (expr instanceof Expr.Quantified quantified) {
      return new Quantifiers(this).condition(quantified, level);
    }
    if (expr instanceof Expr.Like like) {
      return Patterns.condition(like, level, this);
    }
    if (expr instanceof Expr.Exists exists) {
      return new LookupConditions(lookup, this).exists(exists, level);
    }
    if (expr instanceof Expr.InRows in) {
      return new LookupConditions(lookup, this).in(in, level);
    }
    Operand operand = operand(expr, level);
    return rows -> {
      Object value = operand.of(rows);
      return value == null ? Condition.UNKNOWN : Condition.of((Boolean) value);
    };
  }

  Operand operand(Expr expr, int level) {
    return operands.operand(expr, level);
  }

  private Condition[] each(List<Expr> parts, int level) {
    return parts.stream().map(part -> condition(part, level)).toArray(Condition[]::new);
  }

  private static Condition and(Condition[] parts) {
    if (parts.length == 2) {
      Condition first = parts[0];
      Condition second = parts[1];
      return rows -> {
        int truth = first.of(rows);
        if (truth == Condition.FALSE) {
          return truth;
        }
        int other = second.of(rows);
        return other == Condition.TRUE ? truth : other;
      };
    }
    return rows -> {
      int all = Condition.TRUE;
      for (Condition part : parts) {
        int truth = part.of(rows);
        if (truth == Condition.FALSE) {
          return truth;
        }
        all = truth == Condition.UNKNOWN ? truth : all;
      }
      return all;
    };
  }

  private static Condition or(Condition[] parts) {
    return rows -> {
      int any = Condition.FALSE;
      for (Condition part : parts) {
        int truth = part.of(rows);
        if (truth == Condition.TRUE) {
          return truth;
        }
        any = truth == Condition.UNKNOWN ? truth : any;
      }
      return any;
    };
  }

  private Condition is(Expr.Is is, int level) {
    return switch (is.what()) {
      case NULL -> {
        Operand operand = operand(is.operand(), level);
        yield rows -> Condition.of(operand.of(rows) == null);
      }
      case TRUE -> is(condition(is.operand(), level), Condition.TRUE);
      case FALSE -> is(condition(is.operand(), level), Condition.FALSE);
      case UNKNOWN -> is(condition(is.operand(), level), Condition.UNKNOWN);
    };
  }

  private static Condition is(Condition operand, int truth) {
    return rows -> Condition.of(operand.of(rows) == truth);
  }

  private Condition compare(Expr.Compare compare, int level) {
    Operand left = operand(compare.left(), level);
    Operand right = operand(compare.right(), level);
    Base on = compare.on();
    Expr.Comparison comparison = compare.comparison();
    return rows -> {
      Object a = left.of(rows);
      Object b = right.of(rows);
      return a == null || b == null
          ? Condition.UNKNOWN
          : Condition.of(holds(comparison, Ordering.compare(on, a, b)));
    };
  }

  static boolean holds(Expr.Comparison comparison, int order) {
    return switch (comparison) {
      case EQUAL -> order == 0;
      case NOT_EQUAL -> order != 0;
      case LESS -> order < 0;
      case LESS_OR_EQUAL -> order <= 0;
      case GREATER -> order > 0;
      case GREATER_OR_EQUAL -> order >= 0;
    };
  }

  private Condition distinct(Expr.Distinct distinct, int level) {
    Operand left = operand(distinct.left(), level);
    Operand right = operand(distinct.right(), level);
    return rows -> {
      Object a = left.of(rows);
      Object b = right.of(rows);
      return a == null || b == null
          ? Condition.of(a != null || b != null)
          : Condition.of(Ordering.compare(distinct.on(), a, b) != 0);
    };
  }

  /** Whether a value is the same for every row that a caller is judged by. */
  static boolean isArgument(Expr expr) {
    return !Lookups.readsRows(expr) && !Lookups.any(expr, node -> node instanceof Expr.Now);
  }

  /** Whether a value is the same for everybody. */
  private static boolean isConstant(Expr expr) {
    return isArgument(expr)
        && !Lookups.any(expr, node -> node instanceof Expr.Claim || node instanceof Expr.Setting);
  }

  /**
   * What is computed once per caller, or once for all where no claim is read.
   *
   * @param then what is made of the value
   * @throws dev.rowcast.policy.value.ValueException where no claim is read and it can't be computed
   */
  Argument argument(Expr expr, Function<@Nullable Object, @Nullable Object> then) {
    if (claims != null || isConstant(expr)) {
      Object value = then.apply(compute(expr, claims == null ? path -> null : claims));
      return arguments -> value;
    }
    int slot = slots.add(caller -> then.apply(compute(expr, caller)));
    return arguments -> arguments[slot];
  }

  private static @Nullable Object compute(Expr expr, ClaimSource claims) {
    Rows none = new Rows(NO_ROW, null, new @Nullable Object[0], 0);
    return new Compiler(RowLookup.NONE, claims).operand(expr, 0).of(none);
  }

  /** Gives the value that a caller's claims make. */
  interface Argument {
    @Nullable Object of(@Nullable Object[] arguments);
  }

  /** The column that an expression is, as it stands or cast implicitly; null where it is none. */
  static Expr.@Nullable Column column(Expr expr) {
    Expr operand =
        expr instanceof Expr.Cast cast && !cast.type().array() && cast.limit().length() < 0
            ? cast.operand()
            : expr;
    return operand instanceof Expr.Column column && !column.type().array() ? column : null;
  }
}
