package dev.rowcast.policy.sql;

import dev.rowcast.event.TableId;
import dev.rowcast.policy.sql.Expr.Comparison;
import dev.rowcast.policy.value.SqlType;
import dev.rowcast.policy.value.SqlType.Base;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Looks up what a predicate names and gives every expression its type, by PostgreSQL's rules. One
 * per predicate.
 */
public final class Analyser {
  private static final int MAX_SELECTS = 8;

  private final TableColumns tables;
  private final Functions functions = new Functions(this);
  private boolean complete = true;
  private int selects;

  private Analyser(TableColumns tables) {
    this.tables = tables;
  }

  /**
   * A predicate with types.
   *
   * @param complete whether the types of all its columns are known: only then it can be evaluated
   */
  public record Analysis(Expr predicate, boolean complete) {}

  /**
   * Resolves names and types.
   *
   * @param name what the table is called in the predicate
   * @throws RefusedException for a name, a function or a combination of types that there isn't
   */
  public static Analysis analyse(
      Syntax predicate, TableId table, String name, TableColumns tables) {
    Analyser analyser = new Analyser(tables);
    Scope scope = new Scope(0, name, table, tables.columns(table), null);
    Expr typed = analyser.condition(predicate, scope);
    return new Analysis(Positions.whereOnlyTruthCounts(typed), analyser.complete);
  }

  /** An expression that is true, false or unknown. */
  Expr condition(Syntax syntax, Scope scope) {
    Expr expr = expr(syntax, scope);
    if (expr.type().base() == Base.UNKNOWN) {
      return Typing.resolved(expr, SqlType.BOOLEAN, syntax.at());
    }
    if (!expr.type().equals(SqlType.BOOLEAN) && expr.type().base() != Base.UNSEEN) {
      throw new RefusedException(
          syntax.at(), "a value of type " + expr.type(), "a condition: true or false");
    }
    return expr;
  }

  /** An expression, of type unknown where nothing says which. */
  Expr expr(Syntax syntax, Scope scope) {
    if (syntax instanceof Syntax.Text text) {
      return new Expr.Constant(SqlType.UNKNOWN, text.value());
    }
    if (syntax instanceof Syntax.NumberLiteral number) {
      return number(number);
    }
    if (syntax instanceof Syntax.Bool bool) {
      return new Expr.Constant(SqlType.BOOLEAN, bool.value());
    }
    if (syntax instanceof Syntax.Null) {
      return new Expr.Constant(SqlType.UNKNOWN, null);
    }
    if (syntax instanceof Syntax.Column column) {
      Expr.Column found = scope.column(column);
      complete &= found.type().base() != Base.UNSEEN;
      return found;
    }
    if (syntax instanceof Syntax.Claim claim) {
      return new Expr.Claim(SqlType.UNKNOWN, claim.path());
    }
    if (syntax instanceof Syntax.Moment moment) {
      boolean date = moment.word() == Syntax.Moment.Word.CURRENT_DATE;
      return new Expr.Now(SqlType.of(date ? Base.DATE : Base.TIMESTAMPTZ));
    }
    Expr truth = truth(syntax, scope);
    return truth != null ? truth : functions.expr(syntax, scope);
  }

  private static Expr number(Syntax.NumberLiteral number) {
    Base type = Base.NUMERIC;
    if (number.digits().matches("-?[0-9]+")) {
      int bits = new BigInteger(number.digits()).bitLength();
      type = bits < 32 ? Base.INTEGER : bits < 64 ? Base.BIGINT : Base.NUMERIC;
    }
    return Typing.resolved(
        new Expr.Constant(SqlType.UNKNOWN, number.digits()), SqlType.of(type), number.at());
  }

  private @Nullable Expr truth(Syntax syntax, Scope scope) {
    if (syntax instanceof Syntax.Logical logical) {
      List<Expr> parts = logical.parts().stream().map(part -> condition(part, scope)).toList();
      return logical.and() ? new Expr.And(parts) : new Expr.Or(parts);
    }
    if (syntax instanceof Syntax.Not not) {
      return new Expr.Not(condition(not.operand(), scope));
    }
    if (syntax instanceof Syntax.Is is) {
      Expr operand =
          is.what() == Syntax.Is.What.NULL
              ? Typing.settled(expr(is.operand(), scope), is.operand().at())
              : condition(is.operand(), scope);
      return new Expr.Is(operand, is.what());
    }
    if (syntax instanceof Syntax.Distinct distinct) {
      Expr left = expr(distinct.left(), scope);
      Expr right = expr(distinct.right(), scope);
      Base on = Typing.compared(left.type(), right.type(), "IS DISTINCT FROM", distinct.at());
      return new Expr.Distinct(
          on, as(left, on, distinct.left().at()), as(right, on, distinct.right().at()));
    }
    if (syntax instanceof Syntax.Binary binary && Parser.isComparison(binary.operator())) {
      return compare(
          Comparison.of(binary.operator()),
          expr(binary.left(), scope),
          expr(binary.right(), scope),
          binary);
    }
    if (syntax instanceof Syntax.Between between) {
      return between(between, scope);
    }
    if (syntax instanceof Syntax.Quantified quantified) {
      return quantified(quantified, scope);
    }
    if (syntax instanceof Syntax.In in) {
      return new InList(this, in, scope).expr();
    }
    if (syntax instanceof Syntax.Like like) {
      return like(like, scope);
    }
    if (syntax instanceof Syntax.Exists exists) {
      return new Expr.Exists(select(exists.select(), scope).lookup());
    }
    return syntax instanceof Syntax.InSelect in ? inSelect(in, scope) : null;
  }

  private static Expr as(Expr expr, Base on, int at) {
    return Typing.coerce(expr, SqlType.of(on), at);
  }

  private static Expr compare(Comparison comparison, Expr left, Expr right, Syntax.Binary syntax) {
    Base on = Typing.compared(left.type(), right.type(), comparison.sign(), syntax.at());
    return new Expr.Compare(
        comparison, on, as(left, on, syntax.left().at()), as(right, on, syntax.right().at()));
  }

  /** An equality between two expressions that are typed already. */
  static Expr equal(Expr left, int leftAt, Expr right, int rightAt, int at) {
    Base on = Typing.compared(left.type(), right.type(), "=", at);
    return new Expr.Compare(Comparison.EQUAL, on, as(left, on, leftAt), as(right, on, rightAt));
  }

  private Expr between(Syntax.Between between, Scope scope) {
    Syntax.Binary least = new Syntax.Binary(">=", between.operand(), between.low(), between.at());
    Syntax.Binary most = new Syntax.Binary("<=", between.operand(), between.high(), between.at());
    return new Expr.And(List.of(expr(least, scope), expr(most, scope)));
  }

  private Expr quantified(Syntax.Quantified syntax, Scope scope) {
    Expr left = expr(syntax.left(), scope);
    Expr array = expr(syntax.array(), scope);
    if (array.type().base() == Base.UNKNOWN) {
      Base element = Typing.compared(left.type(), SqlType.UNKNOWN, syntax.operator(), syntax.at());
      array = Typing.resolved(array, SqlType.arrayOf(element), syntax.array().at());
    }
    if (!array.type().array() && array.type().base() != Base.UNSEEN) {
      throw new RefusedException(
          syntax.array().at(), "a value of type " + array.type(), "an array");
    }
    Base on =
        Typing.compared(
            left.type(), SqlType.of(array.type().base()), syntax.operator(), syntax.at());
    return new Expr.Quantified(
        Comparison.of(syntax.operator()),
        syntax.all(),
        on,
        as(left, on, syntax.left().at()),
        functions.elementsAs(array, on, syntax.array().at()));
  }

  private Expr like(Syntax.Like like, Scope scope) {
    Expr escape = like.escape() == null ? null : text(like.escape(), scope);
    Expr operand = expr(like.operand(), scope);
    boolean character = operand.type().equals(SqlType.of(Base.BPCHAR));
    return new Expr.Like(
        character ? operand : text(like.operand(), scope),
        text(like.pattern(), scope),
        escape,
        like.ignoresCase());
  }

  /** An expression as a text. */
  Expr text(Syntax syntax, Scope scope) {
    return Typing.coerce(expr(syntax, scope), SqlType.TEXT, syntax.at());
  }

  /** A look-up, and what its SELECT selects; null for {@code *}. */
  private record Selected(Expr.Lookup lookup, Expr where, @Nullable Expr item) {}

  private Selected select(Syntax.Select select, Scope scope) {
    if (++selects > MAX_SELECTS) {
      throw new RefusedException(
          select.at(), "more than " + MAX_SELECTS + " SELECTs", "at most " + MAX_SELECTS);
    }
    TableId table =
        tables
            .table(select.schema(), select.table())
            .orElseThrow(
                () ->
                    new RefusedException(
                        select.at(),
                        "table '" + select.table() + "'",
                        "a table of the configuration"));
    Scope inner = new Scope(scope.level() + 1, select.alias(), table, tables.columns(table), scope);
    Expr where = select.where() == null ? Expr.Constant.TRUE : condition(select.where(), inner);
    Expr item =
        select.item() == null
            ? null
            : Typing.settled(expr(select.item(), inner), select.item().at());
    return new Selected(
        Lookups.of(table, inner.level(), Positions.whereOnlyTruthCounts(where)), where, item);
  }

  private Expr inSelect(Syntax.InSelect in, Scope scope) {
    Expr left = expr(in.operand(), scope);
    Selected selected = select(in.select(), scope);
    Expr item = selected.item();
    if (item == null) {
      throw new RefusedException(in.select().at(), "SELECT *", "SELECT and one column");
    }
    Base on = Typing.compared(left.type(), item.type(), "=", in.at());
    Expr key = as(item, on, in.at());
    Expr value = as(left, on, in.operand().at());
    Expr equal = new Expr.Compare(Comparison.EQUAL, on, key, value);
    List<Expr> both = new ArrayList<>(Lookups.conjuncts(selected.where()));
    both.add(equal);
    Expr.Lookup all = selected.lookup();
    Expr.Lookup match =
        Lookups.of(all.table(), all.level(), Positions.whereOnlyTruthCounts(new Expr.And(both)));
    return new Expr.InRows(value, match, Lookups.withColumnsOf(all, key), key, true);
  }
}
