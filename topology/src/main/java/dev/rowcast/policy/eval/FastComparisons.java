package dev.rowcast.policy.eval;

import dev.rowcast.event.JsonBytes;
import dev.rowcast.event.JsonObject;
import dev.rowcast.policy.sql.Expr;
import dev.rowcast.policy.sql.Expr.Comparison;
import dev.rowcast.policy.value.Casts;
import dev.rowcast.policy.value.Ordering;
import dev.rowcast.policy.value.SqlType.Base;
import dev.rowcast.policy.value.ValueException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The comparisons that most rules are made of, without decoding the row: a text column equals an
 * argument where the bytes are the same, since canonical JSON has one form for each text; a number
 * of a few digits is read as it stands.
 */
final class FastComparisons {
  private static final int DIGITS = 18;
  private static final int FEW = 8; // so many are compared one by one
  private static final long[] POWERS = new long[DIGITS + 1];

  static {
    POWERS[0] = 1;
    for (int i = 1; i <= DIGITS; i++) {
      POWERS[i] = POWERS[i - 1] * 10;
    }
  }

  private FastComparisons() {}

  /** Null where a comparison isn't such. */
  static @Nullable Condition of(Expr.Compare compare, int level, Compiler compiler) {
    Expr.Column left = Compiler.column(compare.left());
    Expr.Column right = Compiler.column(compare.right());
    if (left != null && left.level() == level && Compiler.isArgument(compare.right())) {
      return of(compare, left, compare.right(), compare.comparison(), level, compiler);
    }
    return right != null && right.level() == level && Compiler.isArgument(compare.left())
        ? of(compare, right, compare.left(), turned(compare.comparison()), level, compiler)
        : null;
  }

  private static Comparison turned(Comparison comparison) {
    return switch (comparison) {
      case EQUAL, NOT_EQUAL -> comparison;
      case LESS -> Comparison.GREATER;
      case LESS_OR_EQUAL -> Comparison.GREATER_OR_EQUAL;
      case GREATER -> Comparison.LESS;
      case GREATER_OR_EQUAL -> Comparison.LESS_OR_EQUAL;
    };
  }

  private static @Nullable Condition of(
      Expr.Compare compare,
      Expr.Column column,
      Expr argument,
      Comparison comparison,
      int level,
      Compiler compiler) {
    Base type = column.type().base();
    boolean equality = comparison == Comparison.EQUAL || comparison == Comparison.NOT_EQUAL;
    if (type == Base.TEXT && compare.on() == Base.TEXT && equality) {
      return text(column, argument, comparison == Comparison.EQUAL, compiler);
    }
    boolean exact = compare.on().isInteger() || compare.on() == Base.NUMERIC;
    boolean asItStands = Casts.isImplicit(type, compare.on()); // a narrower cast would round it
    if (exact && asItStands && (type.isInteger() || type == Base.NUMERIC)) {
      Expr columnSide = compare.left() == argument ? compare.right() : compare.left();
      Operand slow = compiler.operand(columnSide, level);
      return number(column, argument, compare.on(), comparison, slow, compiler);
    }
    return null;
  }

  private static Condition text(
      Expr.Column column, Expr argument, boolean equal, Compiler compiler) {
    Cell cell = new Cell(column.name(), column.type());
    Compiler.Argument json =
        compiler.argument(
            argument,
            text -> text == null ? null : new JsonBytes(32).string((String) text).toByteArray());
    return rows -> {
      JsonObject row = rows.row();
      int i = cell.find(row);
      byte[] bytes = row.bytes();
      int from = row.valueStart(i);
      byte[] wanted = (byte[]) json.of(rows.arguments());
      if (bytes[from] == 'n' || wanted == null) {
        return Condition.UNKNOWN;
      }
      if (bytes[from] != '"') {
        throw new ValueException("a value isn't of type text");
      }
      boolean same = Arrays.equals(bytes, from, row.valueEnd(i), wanted, 0, wanted.length);
      return Condition.of(same == equal);
    };
  }

  /** Texts as they stand in rows. */
  private record Texts(List<byte[]> quoted, Members all) {}

  private static @Nullable Object texts(@Nullable Object array) {
    if (array == null) {
      return null;
    }
    List<byte[]> quoted = new ArrayList<>();
    for (Object text : (List<?>) array) {
      if (text != null) {
        quoted.add(new JsonBytes(32).string((String) text).toByteArray());
      }
    }
    return new Texts(List.copyOf(quoted), Members.of(Base.TEXT, array));
  }

  /** {@code text_column = ANY (argument)}; null where a condition isn't such. */
  static @Nullable Condition member(Expr.Quantified of, int level, Compiler compiler) {
    Expr.Column column = of.left() instanceof Expr.Column plain ? plain : null;
    if (column == null
        || column.level() != level
        || column.type().array()
        || column.type().base() != Base.TEXT
        || of.on() != Base.TEXT) {
      return null;
    }
    Cell cell = new Cell(column.name(), column.type());
    Compiler.Argument argument = compiler.argument(of.array(), FastComparisons::texts);
    return rows -> {
      JsonObject row = rows.row();
      int i = cell.find(row);
      Texts texts = (Texts) argument.of(rows.arguments());
      if (texts == null) {
        return Condition.UNKNOWN;
      }
      byte[] bytes = row.bytes();
      int from = row.valueStart(i);
      if (bytes[from] != '"' || texts.quoted().size() > FEW) {
        return texts.all().in(cell.read(row));
      }
      int to = row.valueEnd(i);
      for (int k = 0; k < texts.quoted().size(); k++) {
        byte[] text = texts.quoted().get(k);
        if (text.length == to - from && Arrays.equals(bytes, from, to, text, 0, text.length)) {
          return Condition.TRUE;
        }
      }
      return texts.all().hasNull() ? Condition.UNKNOWN : Condition.FALSE;
    };
  }

  /** A number of few digits: {@code digits / 10^scale}. */
  private record Small(long digits, int scale, Object value) {}

  private static @Nullable Object small(@Nullable Object value) {
    if (value instanceof Long whole) {
      return new Small(whole, 0, value);
    }
    if (value instanceof BigDecimal number
        && number.scale() >= 0
        && number.scale() <= DIGITS
        && number.precision() <= DIGITS) {
      return new Small(number.unscaledValue().longValue(), number.scale(), value);
    }
    return value == null ? null : new Small(0, -1, value);
  }

  private static Condition number(
      Expr.Column column,
      Expr argument,
      Base on,
      Comparison comparison,
      Operand slow,
      Compiler compiler) {
    Cell cell = new Cell(column.name(), column.type());
    Compiler.Argument wanted = compiler.argument(argument, FastComparisons::small);
    return rows -> {
      JsonObject row = rows.row();
      int i = cell.find(row);
      Small other = (Small) wanted.of(rows.arguments());
      if (row.valueIsNull(i) || other == null) {
        return Condition.UNKNOWN;
      }
      int order = compare(row.bytes(), row.valueStart(i), row.valueEnd(i), other);
      if (order == CANNOT) {
        Object value = slow.of(rows);
        if (value == null) {
          return Condition.UNKNOWN;
        }
        order = Ordering.compare(on, value, other.value());
      }
      return Condition.of(Compiler.holds(comparison, order));
    };
  }

  private static final int CANNOT = Integer.MIN_VALUE;

  /** Compares a plain number in JSON; {@link #CANNOT} where it has too many digits or isn't one. */
  private static int compare(byte[] bytes, int from, int to, Small other) {
    boolean negative = bytes[from] == '-';
    int start = negative ? from + 1 : from;
    if (to - start > DIGITS || other.scale() < 0) {
      return CANNOT;
    }
    long digits = 0;
    int point = to;
    for (int i = start; i < to; i++) {
      int digit = bytes[i] - '0';
      if (digit >= 0 && digit <= 9) {
        digits = digits * 10 + digit;
      } else if (bytes[i] == '.' && point == to) {
        point = i;
      } else {
        return CANNOT;
      }
    }
    int scale = Math.max(0, to - point - 1);
    long own = negative ? -digits : digits;
    if (scale == other.scale()) {
      return Long.compare(own, other.digits());
    }
    int up = scale - other.scale();
    long power = POWERS[Math.abs(up)];
    long grown = (up > 0 ? other.digits() : own) * power;
    if (Math.multiplyHigh(up > 0 ? other.digits() : own, power) != grown >> 63) {
      return CANNOT;
    }
    return up > 0 ? Long.compare(own, grown) : Long.compare(grown, other.digits());
  }
}
