package dev.rowcast.policy.eval;

import dev.rowcast.policy.eval.IndexSpec.KeyColumn;
import dev.rowcast.policy.sql.Expr;
import dev.rowcast.policy.sql.Expr.Comparison;
import dev.rowcast.policy.sql.Lookups;
import dev.rowcast.policy.value.Ordering;
import dev.rowcast.policy.value.SqlType.Base;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * By which equalities of a predicate callers can be found instead of asked. Every row that a
 * predicate lets through has one of the values; whether a row that has one is let through the
 * predicate itself decides, unless these are {@link #decisive()}. Immutable.
 */
final class Candidates {
  private static final Candidates NONE = new Candidates(null, 0, false);

  private final @Nullable List<Part> parts;
  private final int rank;
  private final boolean decisive;

  private Candidates(@Nullable List<Part> parts, int rank, boolean decisive) {
    this.parts = parts;
    this.rank = rank;
    this.decisive = decisive;
  }

  /** Some values of one source. */
  private record Part(KeySource source, Compiler.Argument keys) {}

  /** For the row that a predicate judges. */
  static Candidates of(Expr predicate, Compiler compiler, RowLookup lookup) {
    return new Finder(compiler, lookup).of(predicate, 0);
  }

  @Nullable List<IndexEntry> entries(@Nullable Object[] arguments) {
    if (parts == null) {
      return null;
    }
    Set<IndexEntry> entries = new LinkedHashSet<>();
    for (Part part : parts) {
      Object keys = part.keys().of(arguments);
      if (keys != null) {
        ((Set<?>) keys).forEach(key -> entries.add(new IndexEntry(part.source(), key)));
      }
    }
    return List.copyOf(entries);
  }

  /** Whether every row that has one of the values is let through: nothing is left to ask. */
  boolean decisive() {
    return decisive;
  }

  /** Finds them in the conditions on rows of one level. */
  private record Finder(Compiler compiler, RowLookup lookup) {
    // what tells callers apart best comes first: a claim, through another table, a constant
    private static final int BY_CLAIM = 3;
    private static final int THROUGH_ROWS = 2;
    private static final int BY_CONSTANT = 1;

    Candidates of(Expr expr, int level) {
      if (expr instanceof Expr.And and) {
        return best(and.parts(), level);
      }
      if (expr instanceof Expr.Or or) {
        return union(or.parts(), level);
      }
      if (expr instanceof Expr.Constant constant && !Boolean.TRUE.equals(constant.value())) {
        return new Candidates(List.of(), BY_CLAIM, true);
      }
      if (expr instanceof Expr.Compare compare && compare.comparison() == Comparison.EQUAL) {
        Candidates left = equal(compare.left(), compare.right(), compare.on(), level);
        return left != NONE ? left : equal(compare.right(), compare.left(), compare.on(), level);
      }
      if (expr instanceof Expr.Quantified of && of.comparison() == Comparison.EQUAL && !of.all()) {
        return any(of, level);
      }
      if (expr instanceof Expr.Exists exists) {
        return through(exists.lookup(), level);
      }
      return expr instanceof Expr.InRows in ? through(in.match(), level) : NONE;
    }

    private Candidates best(List<Expr> parts, int level) {
      Candidates best = NONE;
      for (Expr part : parts) {
        Candidates of = of(part, level);
        best = of.rank > best.rank ? of : best;
      }
      return new Candidates(best.parts, best.rank, false);
    }

    private Candidates union(List<Expr> parts, int level) {
      List<Part> all = new ArrayList<>();
      int rank = BY_CLAIM;
      boolean decisive = true;
      for (Expr part : parts) {
        Candidates of = of(part, level);
        if (of.parts == null) {
          return NONE;
        }
        all.addAll(of.parts);
        rank = Math.min(rank, of.rank);
        decisive &= of.decisive;
      }
      return new Candidates(all, rank, decisive);
    }

    private Candidates equal(Expr side, Expr other, Base on, int level) {
      KeyColumn column = column(side, on, level);
      if (column == null || !Compiler.isArgument(other)) {
        return NONE;
      }
      Compiler.Argument keys =
          compiler.argument(other, value -> value == null ? null : Set.of(Ordering.key(on, value)));
      return new Candidates(
          List.of(new Part(new KeySource.OfColumn(column), keys)), rank(other), true);
    }

    private static int rank(Expr argument) {
      boolean claim =
          Lookups.any(argument, node -> node instanceof Expr.Claim || node instanceof Expr.Setting);
      return claim ? BY_CLAIM : BY_CONSTANT;
    }

    private static @Nullable KeyColumn column(Expr expr, Base on, int level) {
      Expr.Column column = Compiler.column(expr);
      return column == null || column.level() != level
          ? null
          : new KeyColumn(column.name(), column.type(), on);
    }

    private Candidates any(Expr.Quantified of, int level) {
      KeyColumn column = column(of.left(), of.on(), level);
      if (column == null || !Compiler.isArgument(of.array())) {
        return NONE;
      }
      Compiler.Argument keys = compiler.argument(of.array(), array -> keys(of.on(), array));
      return new Candidates(
          List.of(new Part(new KeySource.OfColumn(column), keys)), rank(of.array()), true);
    }

    private static @Nullable Object keys(Base on, @Nullable Object array) {
      if (array == null) {
        return null;
      }
      Set<Object> keys = new LinkedHashSet<>();
      for (Object element : (List<?>) array) {
        if (element != null) {
          keys.add(Ordering.key(on, element));
        }
      }
      return keys;
    }

    /** Callers that are found by what the look-up's rows hold, rows by what this row holds. */
    private Candidates through(Expr.Lookup of, int level) {
      List<Expr> conditions = new ArrayList<>(Lookups.conjuncts(of.rest()));
      List<KeyColumn> outer = new ArrayList<>();
      List<KeyColumn> inner = new ArrayList<>();
      for (Expr.Key key : of.keys()) {
        KeyColumn column = column(key.outer(), key.on(), level);
        if (column != null) {
          outer.add(column);
          inner.add(LookupConditions.keyColumn(key));
        } else {
          conditions.add(new Expr.Compare(Comparison.EQUAL, key.on(), key.inner(), key.outer()));
        }
      }
      Candidates found = best(conditions, of.level());
      if (found.parts == null || outer.isEmpty() || found.rank == BY_CONSTANT) {
        return NONE;
      }
      RowIndex index = lookup.index(new IndexSpec(of.table(), inner));
      return new Candidates(
          found.parts.stream()
              .map(part -> new Part(new KeySource.OfRows(index, outer, part.source()), part.keys()))
              .toList(),
          THROUGH_ROWS,
          false);
    }
  }
}
