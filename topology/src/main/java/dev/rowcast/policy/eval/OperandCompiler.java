package dev.rowcast.policy.eval;

import dev.rowcast.policy.sql.Expr;
import dev.rowcast.policy.value.Casts;
import dev.rowcast.policy.value.DateTimes;
import dev.rowcast.policy.value.Interval;
import dev.rowcast.policy.value.Json;
import dev.rowcast.policy.value.Numbers;
import dev.rowcast.policy.value.SqlType.Base;
import dev.rowcast.policy.value.Text;
import dev.rowcast.policy.value.ValueException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Makes closures of expressions that are values. Belongs to its compiler. */
final class OperandCompiler {
  private static final long MICROS_PER_DAY = 86_400_000_000L;

  private final Compiler compiler;

  OperandCompiler(Compiler compiler) {
    this.compiler = compiler;
  }

  Operand operand(Expr expr, int level) {
    ClaimSource claims = compiler.claims();
    if (expr instanceof Expr.Constant constant) {
      Object value = constant.value();
      return rows -> value;
    }
    if (claims == null && Compiler.isArgument(expr)) {
      Compiler.Argument argument = compiler.argument(expr, value -> value);
      return rows -> argument.of(rows.arguments());
    }
    if (expr instanceof Expr.Column column) {
      Cell cell = new Cell(column.name(), column.type());
      int up = level - column.level();
      return up == 0 ? rows -> cell.read(rows.row()) : rows -> cell.read(rows.row(up));
    }
    if (expr instanceof Expr.Now now) {
      boolean date = now.type().base() == Base.DATE;
      return rows -> date ? Math.floorDiv(rows.now(), MICROS_PER_DAY) : rows.now();
    }
    if (claims != null && expr instanceof Expr.Claim claim) {
      return rows -> ClaimValues.claim(claims, claim.path(), claim.type());
    }
    if (claims != null && expr instanceof Expr.Setting setting) {
      return rows -> setting(claims, setting);
    }
    if (expr instanceof Expr.Truth) {
      return truth(expr, level);
    }
    return computed(expr, level);
  }

  private static @Nullable Object setting(ClaimSource claims, Expr.Setting setting) {
    String text = ClaimValues.setting(claims, setting.name());
    if (text == null && !setting.missingOk()) {
      throw new ValueException("setting '" + setting.name() + "' is missing");
    }
    return text;
  }

  private Operand truth(Expr expr, int level) {
    Condition condition = compiler.condition(expr, level);
    return rows -> {
      int truth = condition.of(rows);
      return truth == Condition.UNKNOWN ? null : truth == Condition.TRUE;
    };
  }

  private Operand computed(Expr expr, int level) {
    if (expr instanceof Expr.Cast cast) {
      return cast(cast, level);
    }
    if (expr instanceof Expr.Arithmetic of) {
      Base type = of.type().base();
      return both(of.left(), of.right(), level, (a, b) -> Numbers.apply(type, of.operator(), a, b));
    }
    if (expr instanceof Expr.TimeArithmetic of) {
      return both(of.left(), of.right(), level, (a, b) -> time(of.operator(), a, b));
    }
    if (expr instanceof Expr.Negate negate) {
      Base type = negate.type().base();
      Operand operand = operand(negate.operand(), level);
      return rows -> {
        Object value = operand.of(rows);
        return value == null ? null : Numbers.negate(type, value);
      };
    }
    if (expr instanceof Expr.Call call) {
      return call(call, level);
    }
    if (expr instanceof Expr.Coalesce coalesce) {
      Operand[] parts = each(coalesce.parts(), level);
      return rows -> {
        Object value = null;
        for (int i = 0; i < parts.length && value == null; i++) {
          value = parts[i].of(rows);
        }
        return value;
      };
    }
    if (expr instanceof Expr.Case of) {
      return caseOf(of, level);
    }
    if (expr instanceof Expr.Array array) {
      Operand[] elements = each(array.elements(), level);
      return rows -> {
        @Nullable Object[] values = new @Nullable Object[elements.length];
        Arrays.setAll(values, i -> elements[i].of(rows));
        return Arrays.asList(values);
      };
    }
    if (expr instanceof Expr.JsonGet get) {
      return json(get, level);
    }
    throw new IllegalStateException("no value: " + expr);
  }

  private Operand[] each(List<Expr> parts, int level) {
    return parts.stream().map(part -> operand(part, level)).toArray(Operand[]::new);
  }

  /** What is made of two values that aren't null. */
  private interface Binary {
    @Nullable Object of(Object a, Object b);
  }

  private Operand both(Expr left, Expr right, int level, Binary binary) {
    Operand one = operand(left, level);
    Operand other = operand(right, level);
    return rows -> {
      Object a = one.of(rows);
      Object b = other.of(rows);
      return a == null || b == null ? null : binary.of(a, b);
    };
  }

  private Operand cast(Expr.Cast cast, int level) {
    Operand operand = operand(cast.operand(), level);
    Base from = cast.operand().type().base();
    Base to = cast.type().base();
    if (!cast.type().array()) {
      return rows -> {
        Object value = operand.of(rows);
        return value == null ? null : Casts.cast(from, to, cast.limit(), value);
      };
    }
    return rows -> {
      Object value = operand.of(rows);
      if (value == null) {
        return null;
      }
      List<@Nullable Object> elements = new ArrayList<>();
      for (Object element : (List<?>) value) {
        elements.add(element == null ? null : Casts.cast(from, to, cast.limit(), element));
      }
      return elements;
    };
  }

  private static Object time(Expr.TimeOperator operator, Object a, Object b) {
    return switch (operator) {
      case DATE_PLUS_DAYS -> DateTimes.plusDays((Long) a, (Long) b);
      case DATE_MINUS_DAYS -> DateTimes.plusDays((Long) a, -(Long) b);
      case DATE_MINUS_DATE -> DateTimes.minusDate((Long) a, (Long) b);
      case TIMESTAMP_PLUS_INTERVAL -> DateTimes.plus((Long) a, (Interval) b);
      case TIMESTAMP_MINUS_INTERVAL -> DateTimes.plus((Long) a, ((Interval) b).negated());
      case TIMESTAMP_MINUS_TIMESTAMP -> DateTimes.minus((Long) a, (Long) b);
      case INTERVAL_PLUS_INTERVAL -> ((Interval) a).plus((Interval) b);
      case INTERVAL_MINUS_INTERVAL -> ((Interval) a).plus(((Interval) b).negated());
    };
  }

  private Operand call(Expr.Call call, int level) {
    List<Expr> arguments = call.arguments();
    if (call.function() == Expr.Function.CONCAT) {
      return both(arguments.get(0), arguments.get(1), level, (a, b) -> (String) a + b);
    }
    Operand operand = operand(arguments.get(0), level);
    Base type = call.type().base();
    return rows -> {
      Object value = operand.of(rows);
      if (value == null) {
        return null;
      }
      return switch (call.function()) {
        case LOWER -> Text.lower((String) value);
        case UPPER -> Text.upper((String) value);
        case LENGTH -> (long) ((String) value).codePointCount(0, ((String) value).length());
        case ABS -> Numbers.abs(type, value);
        case CONCAT -> throw new IllegalStateException("of two");
      };
    };
  }

  private Operand caseOf(Expr.Case of, int level) {
    int count = of.branches().size();
    Operand[] conditions = new Operand[count];
    Operand[] results = new Operand[count];
    for (int i = 0; i < count; i++) {
      conditions[i] = operand(of.branches().get(i).condition(), level);
      results[i] = operand(of.branches().get(i).result(), level);
    }
    Operand otherwise = operand(of.otherwise(), level);
    return rows -> {
      for (int i = 0; i < count; i++) {
        if (Boolean.TRUE.equals(conditions[i].of(rows))) {
          return results[i].of(rows);
        }
      }
      return otherwise.of(rows);
    };
  }

  private Operand json(Expr.JsonGet get, int level) {
    Base type = get.json().type().base();
    return both(
        get.json(),
        get.key(),
        level,
        (json, key) -> {
          Json found =
              key instanceof String name
                  ? ((Json) json).member(name)
                  : ((Json) json).element((Long) key, type);
          return found == null || !get.asText() ? found : found.text(type);
        });
  }
}
