package dev.rowcast.policy.value;

import dev.rowcast.policy.value.SqlType.Base;
import java.math.BigDecimal;
import java.math.RoundingMode;

/** Arithmetic on numbers, by PostgreSQL's rules of range and scale. Stateless; thread-safe. */
public final class Numbers {
  private static final int SIGNIFICANT_DIGITS = 16;
  private static final int MOST_DIGITS = 1_000;
  private static final String DIVISION_BY_ZERO = "division by zero";

  private Numbers() {}

  /** An operator between two numbers of one type. */
  public enum Operator {
    ADD("+"),
    SUBTRACT("-"),
    MULTIPLY("*"),
    DIVIDE("/"),
    MODULO("%");

    private final String sign;

    Operator(String sign) {
      this.sign = sign;
    }

    public String sign() {
      return sign;
    }
  }

  /** Applies an operator to two values of type {@code type}, which is also the result's. */
  public static Object apply(Base type, Operator operator, Object a, Object b) {
    return switch (type) {
      case SMALLINT, INTEGER, BIGINT -> whole(type, operator, (Long) a, (Long) b);
      case NUMERIC -> numeric(operator, a, b);
      case REAL, DOUBLE -> floating(type, operator, (Double) a, (Double) b);
      default -> throw new ValueException(type + " has no arithmetic");
    };
  }

  private static Long whole(Base type, Operator operator, long a, long b) {
    try {
      return inRange(
          type,
          switch (operator) {
            case ADD -> Math.addExact(a, b);
            case SUBTRACT -> Math.subtractExact(a, b);
            case MULTIPLY -> Math.multiplyExact(a, b);
            case DIVIDE -> b == -1 ? Math.negateExact(a) : a / nonZero(b);
            case MODULO -> a % nonZero(b);
          });
    } catch (ArithmeticException e) {
      throw outOfRange(type);
    }
  }

  private static long nonZero(long value) {
    if (value == 0) {
      throw new ValueException(DIVISION_BY_ZERO);
    }
    return value;
  }

  /** Checks that a whole number fits a type. */
  static Long inRange(Base type, long value) {
    boolean fits =
        switch (type) {
          case SMALLINT -> value == (short) value;
          case INTEGER -> value == (int) value;
          default -> true;
        };
    if (!fits) {
      throw outOfRange(type);
    }
    return value;
  }

  static ValueException outOfRange(Base type) {
    return new ValueException(SqlType.of(type) + " out of range");
  }

  private static Object floating(Base type, Operator operator, double a, double b) {
    if (operator == Operator.DIVIDE && b == 0 && !Double.isNaN(a)) {
      throw new ValueException(DIVISION_BY_ZERO);
    }
    double exact =
        switch (operator) {
          case ADD -> a + b;
          case SUBTRACT -> a - b;
          case MULTIPLY -> a * b;
          case DIVIDE -> a / b;
          case MODULO -> throw new ValueException(type + " has no %");
        };
    double result = type == Base.REAL ? (float) exact : exact;
    boolean finite = !Double.isInfinite(a) && !Double.isInfinite(b);
    if (Double.isInfinite(result) && finite) {
      throw new ValueException("value out of range: overflow");
    }
    boolean underflows =
        result == 0
            && a != 0
            && (operator == Operator.MULTIPLY
                ? b != 0
                : operator == Operator.DIVIDE && !Double.isInfinite(b));
    if (underflows) {
      throw new ValueException("value out of range: underflow");
    }
    return result;
  }

  private static Object numeric(Operator operator, Object a, Object b) {
    if (!(a instanceof BigDecimal x) || !(b instanceof BigDecimal y)) {
      return special(operator, a, b);
    }
    return switch (operator) {
      case ADD -> bounded(x.add(y));
      case SUBTRACT -> bounded(x.subtract(y));
      case MULTIPLY -> bounded(x.multiply(y));
      case DIVIDE -> divide(x, y);
      case MODULO -> {
        if (y.signum() == 0) {
          throw new ValueException(DIVISION_BY_ZERO);
        }
        yield x.remainder(y);
      }
    };
  }

  /** NaN and the infinities. */
  private static Object special(Operator operator, Object a, Object b) {
    double x = a instanceof BigDecimal number ? number.signum() : (Double) a;
    double y = b instanceof BigDecimal number ? number.signum() : (Double) b;
    boolean divides = operator == Operator.DIVIDE || operator == Operator.MODULO;
    if (divides && y == 0 && !Double.isNaN(x)) {
      throw new ValueException(DIVISION_BY_ZERO);
    }
    double result =
        switch (operator) {
          case ADD -> x + y;
          case SUBTRACT -> x - y;
          case MULTIPLY -> x * y;
          case DIVIDE -> x / y;
          case MODULO -> x % y;
        };
    if (operator == Operator.MODULO && Double.isInfinite(y) && a instanceof BigDecimal) {
      return a;
    }
    return Double.isNaN(result) || Double.isInfinite(result) ? (Object) result : BigDecimal.ZERO;
  }

  private static BigDecimal divide(BigDecimal a, BigDecimal b) {
    if (b.signum() == 0) {
      throw new ValueException(DIVISION_BY_ZERO);
    }
    return bounded(a.divide(b, quotientScale(a, b), RoundingMode.HALF_UP));
  }

  /** PostgreSQL's select_div_scale: at least 16 significant digits, counted in groups of four. */
  private static int quotientScale(BigDecimal a, BigDecimal b) {
    int weight = groups(a) - groups(b);
    if (firstGroup(a) <= firstGroup(b)) {
      weight--;
    }
    int scale = SIGNIFICANT_DIGITS - weight * 4;
    scale = Math.max(scale, Math.max(Math.max(a.scale(), b.scale()), 0));
    return Math.min(scale, MOST_DIGITS);
  }

  /** The place of the first group of four digits that isn't zero: 0 for 1 to 9999. */
  private static int groups(BigDecimal number) {
    return number.signum() == 0 ? 0 : Math.floorDiv(number.precision() - number.scale() - 1, 4);
  }

  private static int firstGroup(BigDecimal number) {
    return number.signum() == 0 ? 0 : number.abs().movePointLeft(4 * groups(number)).intValue();
  }

  /** The largest numbers that PostgreSQL has. */
  static BigDecimal bounded(BigDecimal number) {
    if (number.precision() - (long) number.scale() > 131_072 || number.scale() > 16_383) {
      throw new ValueException("value overflows numeric format");
    }
    return number;
  }

  /** The number with the other sign. */
  public static Object negate(Base type, Object value) {
    if (type.isFloat()) {
      return -(Double) value;
    }
    if (type == Base.NUMERIC) {
      return value instanceof BigDecimal number ? number.negate() : (Object) (-(Double) value);
    }
    return whole(type, Operator.SUBTRACT, 0, (Long) value);
  }

  /** The number without its sign. */
  public static Object abs(Base type, Object value) {
    boolean negative =
        value instanceof Long whole
            ? whole < 0
            : value instanceof BigDecimal number ? number.signum() < 0 : (Double) value < 0;
    if (value instanceof Double zero && zero == 0) {
      return 0.0;
    }
    return negative ? negate(type, value) : value;
  }
}
