package dev.rowcast.policy.eval;

import dev.rowcast.policy.sql.Expr;
import dev.rowcast.policy.sql.Expr.Comparison;
import dev.rowcast.policy.value.Ordering;
import dev.rowcast.policy.value.SqlType.Base;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** {@code operator ANY} and {@code operator ALL}. Belongs to its compiler. */
final class Quantifiers {
  private final Compiler compiler;

  Quantifiers(Compiler compiler) {
    this.compiler = compiler;
  }

  Condition condition(Expr.Quantified of, int level) {
    boolean in = of.comparison() == Comparison.EQUAL && !of.all();
    boolean notIn = of.comparison() == Comparison.NOT_EQUAL && of.all();
    if ((in || notIn) && Compiler.isArgument(of.array())) {
      Condition fast = in ? FastComparisons.member(of, level, compiler) : null;
      if (fast != null) {
        return fast;
      }
      return members(of, level, notIn);
    }
    Operand left = compiler.operand(of.left(), level);
    Operand array = compiler.operand(of.array(), level);
    return rows -> {
      Object value = left.of(rows);
      List<?> elements = (List<?>) array.of(rows);
      return elements == null ? Condition.UNKNOWN : each(of, value, elements);
    };
  }

  private static int each(Expr.Quantified of, @Nullable Object value, List<?> elements) {
    int decisive = of.all() ? Condition.FALSE : Condition.TRUE;
    int truth = Condition.not(decisive);
    for (Object element : elements) {
      if (value == null || element == null) {
        truth = Condition.UNKNOWN;
      } else if (Condition.of(
              Compiler.holds(of.comparison(), Ordering.compare(of.on(), value, element)))
          == decisive) {
        return decisive;
      }
    }
    return truth;
  }

  private Condition members(Expr.Quantified of, int level, boolean not) {
    Base on = of.on();
    Operand left = compiler.operand(of.left(), level);
    Compiler.Argument argument =
        compiler.argument(of.array(), array -> array == null ? null : Members.of(on, array));
    return rows -> {
      Members members = (Members) argument.of(rows.arguments());
      if (members == null) {
        return Condition.UNKNOWN;
      }
      int in = members.in(left.of(rows));
      return not ? Condition.not(in) : in;
    };
  }
}
