package dev.rowcast.policy.sql;

import dev.rowcast.policy.value.Casts;
import dev.rowcast.policy.value.SqlType;
import dev.rowcast.policy.value.SqlType.Base;
import dev.rowcast.policy.value.TextInput;
import dev.rowcast.policy.value.ValueException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** PostgreSQL's rules for which type two operands meet in, and how they get there. Stateless. */
final class Typing {
  private Typing() {}

  /** The type in which two values compare. */
  static Base compared(SqlType left, SqlType right, String operator, int at) {
    if (left.array() || right.array()) {
      throw none(left, right, operator, at, "single values, or = ANY (…) for arrays");
    }
    Base a = left.base();
    Base b = right.base();
    if (a == Base.UNSEEN || b == Base.UNSEEN) {
      return Base.UNSEEN;
    }
    if (a == Base.UNKNOWN && b == Base.UNKNOWN) {
      return Base.TEXT;
    }
    Base on = a == Base.UNKNOWN ? b : b == Base.UNKNOWN || a == b ? a : met(a, b);
    if (on == null) {
      throw none(left, right, operator, at, "types that compare; a cast says which");
    }
    if (on == Base.OTHER || on.isJson()) {
      throw none(left, right, operator, at, "a cast to text, as in column::text");
    }
    return on;
  }

  private static @Nullable Base met(Base a, Base b) {
    if (a.isNumber() && b.isNumber()) {
      boolean floating = a.isFloat() || b.isFloat();
      return floating ? Base.DOUBLE : a.compareTo(b) > 0 ? a : b;
    }
    if (a.isMoment() && b.isMoment()) {
      return a.compareTo(b) > 0 ? a : b;
    }
    return a.isText() && b.isText() ? Base.TEXT : null;
  }

  /** Whether there is an equality of just these two types, so that neither becomes the other. */
  static boolean keepsLeft(SqlType left, SqlType right) {
    Base a = left.base();
    Base b = right.base();
    return (a.isInteger() && b.isInteger())
        || (a.isFloat() && b.isFloat())
        || (a.isMoment() && b.isMoment());
  }

  static RefusedException none(
      SqlType left, SqlType right, String operator, int at, String expected) {
    return new RefusedException(at, "no operator " + left + " " + operator + " " + right, expected);
  }

  /** The one type of branches, list members and the like. */
  static SqlType common(List<Expr> parts, String what, int at) {
    SqlType common = SqlType.UNKNOWN;
    for (Expr part : parts) {
      SqlType type = part.type();
      if (type.base() == Base.UNSEEN) {
        return SqlType.UNSEEN;
      }
      common = type.base() == Base.UNKNOWN ? common : wider(common, type, what, at);
    }
    return common.base() == Base.UNKNOWN ? SqlType.TEXT : common;
  }

  private static SqlType wider(SqlType common, SqlType type, String what, int at) {
    if (common.base() == Base.UNKNOWN || common.equals(type)) {
      return type;
    }
    if (common.array() == type.array() && !type.array()) {
      if (Casts.isImplicit(type.base(), common.base())) {
        return common; // of text and character, which become each other, the first
      }
      if (Casts.isImplicit(common.base(), type.base())) {
        return type;
      }
    }
    throw new RefusedException(at, what + " of types " + common + " and " + type, "one type");
  }

  /** The expression as a value of a type that it is taken for without a cast. */
  static Expr coerce(Expr expr, SqlType type, int at) {
    SqlType from = expr.type();
    if (from.equals(type) || from.base() == Base.UNSEEN || type.base() == Base.UNSEEN) {
      return expr;
    }
    if (from.base() == Base.UNKNOWN) {
      return resolved(expr, type, at);
    }
    if (from.array() || type.array() || !Casts.isImplicit(from.base(), type.base())) {
      throw new RefusedException(at, "a value of type " + from, "a value of type " + type);
    }
    return new Expr.Cast(type, Casts.Limit.NONE, expr);
  }

  /** A literal in quotes, NULL or a claim, now that its type is known. */
  static Expr resolved(Expr expr, SqlType type, int at) {
    if (expr instanceof Expr.Claim claim) {
      if (type.base() == Base.OTHER) {
        throw new RefusedException(at, "a claim as " + type, "a cast of the other side to text");
      }
      return new Expr.Claim(type, claim.path());
    }
    if (!(expr instanceof Expr.Constant constant)) {
      throw new IllegalStateException("unknown " + expr);
    }
    if (constant.value() == null) {
      return new Expr.Constant(type, null);
    }
    String text = (String) constant.value();
    try {
      Object value =
          type.array()
              ? TextInput.parseArray(type.base(), text)
              : TextInput.parse(type.base(), text);
      return new Expr.Constant(type, value);
    } catch (ValueException e) {
      throw new RefusedException(
          at, "'" + text + "': " + e.getMessage(), "a value of type " + type);
    }
  }

  /** What is left without a type becomes text. */
  static Expr settled(Expr expr, int at) {
    return expr.type().base() == Base.UNKNOWN ? resolved(expr, SqlType.TEXT, at) : expr;
  }
}
