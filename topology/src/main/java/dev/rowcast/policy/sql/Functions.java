package dev.rowcast.policy.sql;

import dev.rowcast.policy.sql.Expr.Function;
import dev.rowcast.policy.value.Casts;
import dev.rowcast.policy.value.SqlType;
import dev.rowcast.policy.value.SqlType.Base;
import java.util.ArrayList;
import java.util.List;

/** Types what isn't a condition: functions, CASE, casts, arrays, JSON. Belongs to its analyser. */
final class Functions {
  private static final String KNOWN =
      "lower, upper, length, abs, coalesce, nullif, now or current_setting";

  private final Analyser analyser;

  Functions(Analyser analyser) {
    this.analyser = analyser;
  }

  Expr expr(Syntax syntax, Scope scope) {
    if (syntax instanceof Syntax.Call call) {
      return call(call, scope);
    }
    if (syntax instanceof Syntax.Cast cast) {
      return cast(cast, scope);
    }
    if (syntax instanceof Syntax.Case of) {
      return caseOf(of, scope);
    }
    if (syntax instanceof Syntax.Array array) {
      return array(array, scope);
    }
    if (syntax instanceof Syntax.Minus minus) {
      Expr operand = analyser.expr(minus.operand(), scope);
      SqlType type = operand.type();
      if (type.array() || !(type.base().isNumber() || type.base() == Base.UNSEEN)) {
        throw new RefusedException(minus.at(), "no operator - " + type, "a number after the sign");
      }
      return new Expr.Negate(type, operand);
    }
    if (syntax instanceof Syntax.Binary binary) {
      Expr left = analyser.expr(binary.left(), scope);
      Expr right = analyser.expr(binary.right(), scope);
      return switch (binary.operator()) {
        case "||" -> concat(left, right, binary);
        case "->", "->>" -> json(left, right, binary);
        default -> Arithmetics.expr(left, right, binary);
      };
    }
    throw new IllegalStateException("a condition: " + syntax);
  }

  private Expr call(Syntax.Call call, Scope scope) {
    return switch (call.name()) {
      case "lower" -> ofText(Function.LOWER, SqlType.TEXT, call, scope);
      case "upper" -> ofText(Function.UPPER, SqlType.TEXT, call, scope);
      case "length", "char_length", "character_length" ->
          ofText(Function.LENGTH, SqlType.INTEGER, call, scope);
      case "abs" -> abs(call, scope);
      case "coalesce" -> coalesce(call, scope);
      case "nullif" -> nullIf(call, scope);
      case "now" -> {
        arguments(call, 0, 0);
        yield new Expr.Now(SqlType.of(Base.TIMESTAMPTZ));
      }
      case "current_setting" -> setting(call);
      default -> throw new RefusedException(call.at(), "function '" + call.name() + "'", KNOWN);
    };
  }

  private static void arguments(Syntax.Call call, int least, int most) {
    int count = call.arguments().size();
    if (count < least || count > most) {
      throw new RefusedException(
          call.at(),
          call.name() + " with " + count + " arguments",
          least == most ? least + " of them" : least + " to " + most + " of them");
    }
  }

  private Expr ofText(Function function, SqlType result, Syntax.Call call, Scope scope) {
    arguments(call, 1, 1);
    return new Expr.Call(result, function, List.of(analyser.text(call.arguments().get(0), scope)));
  }

  private Expr abs(Syntax.Call call, Scope scope) {
    arguments(call, 1, 1);
    Expr number = analyser.expr(call.arguments().get(0), scope);
    SqlType type = number.type();
    if (type.array() || !(type.base().isNumber() || type.base() == Base.UNSEEN)) {
      throw new RefusedException(call.at(), "abs of type " + type, "a number");
    }
    return new Expr.Call(type, Function.ABS, List.of(number));
  }

  private Expr coalesce(Syntax.Call call, Scope scope) {
    arguments(call, 1, PrimaryParser.MAX_LIST);
    List<Expr> parts = each(call.arguments(), scope);
    SqlType type = Typing.common(parts, "COALESCE", call.at());
    List<Expr> typed = new ArrayList<>();
    for (int i = 0; i < parts.size(); i++) {
      typed.add(Typing.coerce(parts.get(i), type, call.arguments().get(i).at()));
    }
    return new Expr.Coalesce(type, typed);
  }

  private Expr nullIf(Syntax.Call call, Scope scope) {
    arguments(call, 2, 2);
    Expr left = analyser.expr(call.arguments().get(0), scope);
    Expr right = analyser.expr(call.arguments().get(1), scope);
    Base on = Typing.compared(left.type(), right.type(), "=", call.at());
    SqlType type = Typing.keepsLeft(left.type(), right.type()) ? left.type() : SqlType.of(on);
    int at = call.arguments().get(0).at();
    Expr equal = Analyser.equal(left, at, right, call.arguments().get(1).at(), call.at());
    return new Expr.Case(
        type,
        List.of(new Expr.Branch(equal, new Expr.Constant(type, null))),
        Typing.coerce(left, type, at));
  }

  private static Expr setting(Syntax.Call call) {
    arguments(call, 1, 2);
    if (!(call.arguments().get(0) instanceof Syntax.Text name)) {
      throw new RefusedException(
          call.arguments().get(0).at(),
          "current_setting of something computed",
          "the name of a setting in quotes");
    }
    if (call.arguments().size() == 1) {
      return new Expr.Setting(name.value(), false);
    }
    if (!(call.arguments().get(1) instanceof Syntax.Bool missingOk)) {
      throw new RefusedException(
          call.arguments().get(1).at(), "something computed", "true or false");
    }
    return new Expr.Setting(name.value(), missingOk.value());
  }

  private List<Expr> each(List<Syntax> parts, Scope scope) {
    return parts.stream().map(part -> analyser.expr(part, scope)).toList();
  }

  private Expr caseOf(Syntax.Case of, Scope scope) {
    List<Expr> results = new ArrayList<>();
    of.branches().forEach(branch -> results.add(analyser.expr(branch.result(), scope)));
    results.add(
        of.otherwise() == null
            ? new Expr.Constant(SqlType.UNKNOWN, null)
            : analyser.expr(of.otherwise(), scope));
    List<Expr> order = new ArrayList<>(results); // which PostgreSQL finds the type in: ELSE first
    order.add(0, order.remove(order.size() - 1));
    SqlType type = Typing.common(order, "CASE", of.at());
    List<Expr.Branch> branches = new ArrayList<>();
    for (int i = 0; i < of.branches().size(); i++) {
      Syntax.Branch branch = of.branches().get(i);
      Syntax condition =
          of.operand() == null
              ? branch.condition()
              : new Syntax.Binary("=", of.operand(), branch.condition(), branch.condition().at());
      branches.add(
          new Expr.Branch(
              analyser.condition(condition, scope),
              Typing.coerce(results.get(i), type, branch.result().at())));
    }
    Expr otherwise = results.get(results.size() - 1);
    return new Expr.Case(type, branches, Typing.coerce(otherwise, type, of.at()));
  }

  private Expr array(Syntax.Array array, Scope scope) {
    List<Expr> elements = each(array.elements(), scope);
    SqlType type = Typing.common(elements, "ARRAY", array.at());
    if (type.array()) {
      throw new RefusedException(array.at(), "an array of arrays", "single values");
    }
    List<Expr> typed = new ArrayList<>();
    for (int i = 0; i < elements.size(); i++) {
      typed.add(Typing.coerce(elements.get(i), type, array.elements().get(i).at()));
    }
    return new Expr.Array(SqlType.arrayOf(type.base()), typed);
  }

  /** An array with its elements as another type. */
  Expr elementsAs(Expr array, Base on, int at) {
    Base element = array.type().base();
    if (element == on || element == Base.UNSEEN || on == Base.UNSEEN) {
      return array;
    }
    if (!Casts.isImplicit(element, on)) {
      throw new RefusedException(at, "an array of type " + array.type(), on + " elements");
    }
    return new Expr.Cast(SqlType.arrayOf(on), Casts.Limit.NONE, array);
  }

  private Expr concat(Expr left, Expr right, Syntax.Binary syntax) {
    boolean text = isText(left) || isText(right);
    boolean arrays = left.type().array() || right.type().array();
    if (!text || arrays) {
      throw Typing.none(left.type(), right.type(), "||", syntax.at(), "a text on one side");
    }
    return new Expr.Call(
        SqlType.TEXT,
        Function.CONCAT,
        List.of(asText(left, syntax.left().at()), asText(right, syntax.right().at())));
  }

  private static boolean isText(Expr expr) {
    Base base = expr.type().base();
    return base.isText() || base == Base.UNKNOWN || base == Base.UNSEEN;
  }

  private static Expr asText(Expr expr, int at) {
    Base from = expr.type().base();
    if (from == Base.UNKNOWN || from == Base.UNSEEN || from.isText()) {
      return Typing.coerce(expr, SqlType.TEXT, at);
    }
    if (!Casts.isAllowed(from, Base.TEXT)) {
      throw new RefusedException(at, "a value of type " + expr.type(), "one that casts to text");
    }
    return new Expr.Cast(SqlType.TEXT, Casts.Limit.NONE, expr);
  }

  private static Expr json(Expr left, Expr right, Syntax.Binary syntax) {
    boolean asText = syntax.operator().equals("->>");
    Base from = left.type().base();
    SqlType result = asText ? SqlType.TEXT : left.type();
    if (from == Base.UNSEEN) {
      return new Expr.JsonGet(result, asText, left, right);
    }
    Expr key = Typing.settled(right, syntax.right().at());
    Base by = key.type().base();
    boolean index = by == Base.INTEGER || by == Base.SMALLINT;
    boolean single = !left.type().array() && !key.type().array();
    if (!from.isJson() || !single || !(index || by == Base.TEXT || by == Base.UNSEEN)) {
      throw Typing.none(
          left.type(), key.type(), syntax.operator(), syntax.at(), "json and a name or a position");
    }
    return new Expr.JsonGet(result, asText, left, key);
  }

  private Expr cast(Syntax.Cast cast, Scope scope) {
    Syntax.TypeName name = cast.type();
    Base base =
        SqlType.named(name.name())
            .orElseThrow(
                () ->
                    new RefusedException(
                        name.at(), "type '" + name.name() + "'", "a type that predicates know"));
    SqlType type = new SqlType(base, name.array());
    Casts.Limit limit = limit(name, base);
    Expr operand = analyser.expr(cast.operand(), scope);
    SqlType from = operand.type();
    if (from.base() == Base.UNKNOWN) {
      Expr resolved = Typing.resolved(operand, type, cast.operand().at());
      return limit.length() < 0 ? resolved : new Expr.Cast(type, limit, resolved);
    }
    if (from.equals(type) && limit.length() < 0) {
      return operand;
    }
    boolean allowed = from.base() == Base.UNSEEN || Casts.isAllowed(from.base(), base);
    if (!allowed || (from.array() != type.array() && from.base() != Base.UNSEEN)) {
      throw new RefusedException(
          cast.at(), "a cast from " + from + " to " + type, "a cast that predicates know");
    }
    return new Expr.Cast(type, limit, operand);
  }

  private static Casts.Limit limit(Syntax.TypeName name, Base base) {
    List<Integer> limits = name.limits();
    if (limits.isEmpty()) {
      if (base == Base.BPCHAR && !name.name().equals("bpchar")) {
        throw new RefusedException(name.at(), "type 'character' without length", "text");
      }
      return Casts.Limit.NONE;
    }
    boolean text = base == Base.TEXT && !name.name().equals("text");
    if (text && limits.size() == 1) {
      return new Casts.Limit(limits.get(0), 0);
    }
    if (base == Base.NUMERIC && limits.size() <= 2) {
      return new Casts.Limit(limits.get(0), limits.size() == 2 ? limits.get(1) : 0);
    }
    throw new RefusedException(name.at(), "type '" + name.name() + "' with a length", "without");
  }
}
