package dev.rowcast.policy.sql;

import dev.rowcast.event.TableId;
import dev.rowcast.policy.sql.Expr.Comparison;
import dev.rowcast.policy.value.Casts;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Makes look-ups out of conditions: the equalities that find rows, and the rest. Stateless. */
public final class Lookups {
  private Lookups() {}

  /** The rows for which a condition holds. */
  static Expr.Lookup of(TableId table, int level, Expr where) {
    List<Expr.Key> keys = new ArrayList<>();
    List<Expr> rest = new ArrayList<>();
    for (Expr part : conjuncts(where)) {
      Expr.Key key = key(part, level);
      if (key != null) {
        keys.add(key);
      } else {
        rest.add(part);
      }
    }
    Set<String> columns = new TreeSet<>();
    keys.forEach(key -> addColumns(key.inner(), level, columns));
    rest.forEach(part -> addColumns(part, level, columns));
    Expr left =
        rest.isEmpty() ? Expr.Constant.TRUE : rest.size() == 1 ? rest.get(0) : new Expr.And(rest);
    return new Expr.Lookup(table, level, keys, left, List.copyOf(columns));
  }

  static Expr.Lookup withColumnsOf(Expr.Lookup lookup, Expr item) {
    Set<String> columns = new TreeSet<>(lookup.columns());
    addColumns(item, lookup.level(), columns);
    return new Expr.Lookup(
        lookup.table(), lookup.level(), lookup.keys(), lookup.rest(), List.copyOf(columns));
  }

  /** What has to be true, each, for an expression to be true. */
  public static List<Expr> conjuncts(Expr expr) {
    if (expr.equals(Expr.Constant.TRUE)) {
      return List.of();
    }
    return expr instanceof Expr.And and
        ? and.parts().stream().flatMap(part -> conjuncts(part).stream()).toList()
        : List.of(expr);
  }

  private static Expr.@Nullable Key key(Expr part, int level) {
    if (!(part instanceof Expr.Compare compare) || compare.comparison() != Comparison.EQUAL) {
      return null;
    }
    if (isInner(compare.left(), level) && isOuter(compare.right(), level)) {
      return new Expr.Key(compare.left(), compare.on(), compare.right());
    }
    return isInner(compare.right(), level) && isOuter(compare.left(), level)
        ? new Expr.Key(compare.right(), compare.on(), compare.left())
        : null;
  }

  /** Whether an expression is a column of the look-up's row, as it is or cast. */
  private static boolean isInner(Expr expr, int level) {
    Expr operand = expr instanceof Expr.Cast cast && isPlain(cast) ? cast.operand() : expr;
    return operand instanceof Expr.Column column
        && column.level() == level
        && !column.type().array();
  }

  private static boolean isPlain(Expr.Cast cast) {
    return cast.limit().equals(Casts.Limit.NONE) && !cast.type().array();
  }

  private static boolean isOuter(Expr expr, int level) {
    return !any(
        expr,
        node -> (node instanceof Expr.Column column && column.level() >= level) || looksUp(node));
  }

  private static boolean looksUp(Expr node) {
    return node instanceof Expr.Exists || node instanceof Expr.InRows;
  }

  /** Whether a value depends on any row, or on a look-up. */
  public static boolean readsRows(Expr expr) {
    return any(expr, node -> node instanceof Expr.Column || looksUp(node));
  }

  /** Whether an expression or anything that it is computed from is such. */
  public static boolean any(Expr expr, Predicate<Expr> such) {
    return such.test(expr) || expr.operands().stream().anyMatch(operand -> any(operand, such));
  }

  private static void addColumns(Expr expr, int level, Set<String> columns) {
    if (expr instanceof Expr.Column column && column.level() == level) {
      columns.add(column.name());
    }
    expr.operands().forEach(operand -> addColumns(operand, level, columns));
  }
}
