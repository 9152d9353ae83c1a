package dev.rowcast.policy.sql;

import dev.rowcast.policy.sql.Expr.Comparison;
import dev.rowcast.policy.value.SqlType;
import dev.rowcast.policy.value.SqlType.Base;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * {@code IN (a, b, …)} as PostgreSQL reads it: two or more members without columns are an array of
 * one type, each of the others is an equality of its own. So {@code real_column IN (0.1, 0.2)}
 * compares as {@code real}, {@code real_column IN (0.1)} as {@code double precision}.
 */
final class InList {
  private final Syntax.In in;
  private final Expr left;
  private final List<Expr> members;

  InList(Analyser analyser, Syntax.In in, Scope scope) {
    this.in = in;
    this.left = analyser.expr(in.operand(), scope);
    this.members = in.list().stream().map(member -> analyser.expr(member, scope)).toList();
  }

  Expr expr() {
    List<Integer> constants = new ArrayList<>();
    for (int i = 0; i < members.size(); i++) {
      if (!Lookups.readsRows(members.get(i))) {
        constants.add(i);
      }
    }
    Expr array = constants.size() > 1 ? array(constants) : null;
    List<Expr> parts = new ArrayList<>();
    if (array != null) {
      parts.add(array);
    }
    for (int i = 0; i < members.size(); i++) {
      if (array == null || !constants.contains(i)) {
        int at = in.list().get(i).at();
        parts.add(Analyser.equal(left, in.operand().at(), members.get(i), at, in.at()));
      }
    }
    return parts.size() == 1 ? parts.get(0) : new Expr.Or(parts);
  }

  /** Null where they have no common type. */
  private @Nullable Expr array(List<Integer> constants) {
    List<Expr> all = new ArrayList<>();
    all.add(left);
    constants.forEach(i -> all.add(members.get(i)));
    SqlType common;
    try {
      common = Typing.common(all, "a list", in.at());
    } catch (RefusedException e) {
      return null;
    }
    List<Expr> elements = new ArrayList<>();
    Base on = Typing.compared(left.type(), common, "=", in.at());
    for (int i : constants) {
      int at = in.list().get(i).at();
      Expr element = Typing.coerce(members.get(i), common, at);
      elements.add(Typing.coerce(element, SqlType.of(on), at));
    }
    Expr value = Typing.coerce(left, SqlType.of(on), in.operand().at());
    return new Expr.Quantified(
        Comparison.EQUAL, false, on, value, new Expr.Array(SqlType.arrayOf(on), elements));
  }
}
