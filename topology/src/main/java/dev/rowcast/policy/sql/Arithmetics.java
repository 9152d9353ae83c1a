package dev.rowcast.policy.sql;

import dev.rowcast.policy.sql.Expr.TimeOperator;
import dev.rowcast.policy.value.Numbers;
import dev.rowcast.policy.value.SqlType;
import dev.rowcast.policy.value.SqlType.Base;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Types {@code + - * / %} between numbers, dates, timestamps and intervals. Stateless. */
final class Arithmetics {
  private static final Map<String, Numbers.Operator> OPERATORS =
      Map.of(
          "+", Numbers.Operator.ADD,
          "-", Numbers.Operator.SUBTRACT,
          "*", Numbers.Operator.MULTIPLY,
          "/", Numbers.Operator.DIVIDE,
          "%", Numbers.Operator.MODULO);

  private Arithmetics() {}

  static Expr expr(Expr left, Expr right, Syntax.Binary syntax) {
    Base a = left.type().base();
    Base b = right.type().base();
    if (left.type().array() || right.type().array() || (a == Base.UNKNOWN && b == a)) {
      throw none(left, right, syntax);
    }
    if (a == Base.UNSEEN || b == Base.UNSEEN) {
      return new Expr.Arithmetic(SqlType.UNSEEN, Numbers.Operator.ADD, left, right);
    }
    if (isTime(a) || isTime(b)) {
      return time(left, right, syntax);
    }
    Base type = number(a, b);
    boolean remainder = syntax.operator().equals("%") && type != null && type.isFloat();
    if (type == null || remainder) {
      throw none(left, right, syntax);
    }
    return new Expr.Arithmetic(
        SqlType.of(type),
        OPERATORS.get(syntax.operator()),
        Typing.coerce(left, SqlType.of(type), syntax.left().at()),
        Typing.coerce(right, SqlType.of(type), syntax.right().at()));
  }

  private static boolean isTime(Base base) {
    return base.isMoment() || base == Base.INTERVAL;
  }

  private static @Nullable Base number(Base a, Base b) {
    Base one = a == Base.UNKNOWN ? b : a;
    Base other = b == Base.UNKNOWN ? a : b;
    if (!one.isNumber() || !other.isNumber()) {
      return null;
    }
    if (one == other) {
      return one;
    }
    if (one.isFloat() || other.isFloat()) {
      return Base.DOUBLE;
    }
    return one.compareTo(other) > 0 ? one : other;
  }

  private static RefusedException none(Expr left, Expr right, Syntax.Binary syntax) {
    return Typing.none(
        left.type(),
        right.type(),
        syntax.operator(),
        syntax.at(),
        "types that it is defined for; a cast says which");
  }

  private static Expr time(Expr left, Expr right, Syntax.Binary syntax) {
    return switch (syntax.operator()) {
      case "+" -> plus(left, right, syntax);
      case "-" -> minus(left, right, syntax);
      default -> throw none(left, right, syntax);
    };
  }

  private static Expr plus(Expr left, Expr right, Syntax.Binary syntax) {
    Base a = left.type().base();
    Base b = right.type().base();
    boolean swapped = !a.isMoment() && b.isMoment();
    Expr moment = swapped ? right : left;
    Expr span = swapped ? left : right;
    Base from = moment.type().base();
    Base by = span.type().base();
    if (from == Base.DATE && (by == Base.INTEGER || by == Base.SMALLINT)) {
      return of(Base.DATE, TimeOperator.DATE_PLUS_DAYS, moment, as(span, Base.INTEGER));
    }
    if (from.isMoment() && (by == Base.INTERVAL || (by == Base.UNKNOWN && from != Base.DATE))) {
      Base result = from == Base.DATE ? Base.TIMESTAMP : from;
      Expr interval = as(span, Base.INTERVAL, syntax.right().at());
      return of(result, TimeOperator.TIMESTAMP_PLUS_INTERVAL, as(moment, result), interval);
    }
    boolean intervals =
        (a == Base.INTERVAL || a == Base.UNKNOWN) && (b == Base.INTERVAL || b == Base.UNKNOWN);
    if (intervals) {
      return of(
          Base.INTERVAL,
          TimeOperator.INTERVAL_PLUS_INTERVAL,
          as(left, Base.INTERVAL, syntax.left().at()),
          as(right, Base.INTERVAL, syntax.right().at()));
    }
    throw none(left, right, syntax);
  }

  private static Expr minus(Expr left, Expr right, Syntax.Binary syntax) {
    Base a = left.type().base() == Base.UNKNOWN ? right.type().base() : left.type().base();
    Base b = right.type().base() == Base.UNKNOWN ? left.type().base() : right.type().base();
    int leftAt = syntax.left().at();
    int rightAt = syntax.right().at();
    if (a == Base.DATE && (b == Base.INTEGER || b == Base.SMALLINT)) {
      return of(Base.DATE, TimeOperator.DATE_MINUS_DAYS, left, as(right, Base.INTEGER));
    }
    if (a == Base.DATE && b == Base.DATE) {
      return of(
          Base.INTEGER,
          TimeOperator.DATE_MINUS_DATE,
          as(left, Base.DATE, leftAt),
          as(right, Base.DATE, rightAt));
    }
    if (a.isMoment() && b.isMoment()) {
      Base common = a.compareTo(b) > 0 ? a : b;
      return of(
          Base.INTERVAL,
          TimeOperator.TIMESTAMP_MINUS_TIMESTAMP,
          as(left, common, leftAt),
          as(right, common, rightAt));
    }
    if (a.isMoment() && b == Base.INTERVAL) {
      Base result = a == Base.DATE ? Base.TIMESTAMP : a;
      return of(result, TimeOperator.TIMESTAMP_MINUS_INTERVAL, as(left, result), right);
    }
    if (a == Base.INTERVAL && b == Base.INTERVAL) {
      return of(
          Base.INTERVAL,
          TimeOperator.INTERVAL_MINUS_INTERVAL,
          as(left, Base.INTERVAL, leftAt),
          as(right, Base.INTERVAL, rightAt));
    }
    throw none(left, right, syntax);
  }

  private static Expr of(Base type, TimeOperator operator, Expr left, Expr right) {
    return new Expr.TimeArithmetic(SqlType.of(type), operator, left, right);
  }

  private static Expr as(Expr expr, Base type) {
    return as(expr, type, 0);
  }

  private static Expr as(Expr expr, Base type, int at) {
    return Typing.coerce(expr, SqlType.of(type), at);
  }
}
