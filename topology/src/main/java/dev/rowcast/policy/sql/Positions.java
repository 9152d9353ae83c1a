package dev.rowcast.policy.sql;

import java.util.List;

/**
 * Where false and unknown come to the same: at the top of a condition and inside its ANDs and ORs.
 * There an {@code IN (SELECT …)} needn't look for nulls among what it didn't find.
 */
final class Positions {
  private Positions() {}

  static Expr whereOnlyTruthCounts(Expr expr) {
    if (expr instanceof Expr.And and) {
      return new Expr.And(each(and.parts()));
    }
    if (expr instanceof Expr.Or or) {
      return new Expr.Or(each(or.parts()));
    }
    return expr instanceof Expr.InRows in
        ? new Expr.InRows(in.left(), in.match(), in.all(), in.item(), false)
        : expr;
  }

  private static List<Expr> each(List<Expr> parts) {
    return parts.stream().map(Positions::whereOnlyTruthCounts).toList();
  }
}
