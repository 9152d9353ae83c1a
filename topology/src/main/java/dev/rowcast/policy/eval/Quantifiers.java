package dev.rowcast.policy.eval;

import dev.rowcast.policy.sql.Expr;
import dev.rowcast.policy.sql.Expr.Comparison;
import dev.rowcast.policy.value.Ordering;
import dev.rowcast.policy.value.SqlType.Base;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
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

  /** What an array that is an argument holds. */
  private record Members(Set<Object> keys, boolean hasNull, boolean isEmpty) {}

  private static @Nullable Object members(Base on, @Nullable Object array) {
    if (array == null) {
      return null;
    }
    List<?> elements = (List<?>) array;
    Set<Object> keys = new HashSet<>();
    for (Object element : elements) {
      if (element != null) {
        keys.add(Ordering.key(on, element));
      }
    }
    return new Members(keys, elements.contains(null), elements.isEmpty());
  }

  private Condition members(Expr.Quantified of, int level, boolean not) {
    Base on = of.on();
    Operand left = compiler.operand(of.left(), level);
    Compiler.Argument argument = compiler.argument(of.array(), array -> members(on, array));
    return rows -> {
      Members members = (Members) argument.of(rows.arguments());
      if (members == null) {
        return Condition.UNKNOWN;
      }
      int in = in(members, on, left.of(rows));
      return not ? Condition.not(in) : in;
    };
  }

  private static int in(Members members, Base on, @Nullable Object value) {
    if (members.isEmpty()) {
      return Condition.FALSE;
    }
    if (value == null) {
      return Condition.UNKNOWN;
    }
    if (members.keys().contains(Ordering.key(on, value))) {
      return Condition.TRUE;
    }
    return members.hasNull() ? Condition.UNKNOWN : Condition.FALSE;
  }
}
