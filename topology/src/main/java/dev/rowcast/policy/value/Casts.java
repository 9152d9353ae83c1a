package dev.rowcast.policy.value;

import dev.rowcast.policy.value.SqlType.Base;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;

/** From one type to another, as PostgreSQL casts. Stateless; thread-safe. */
public final class Casts {
  private static final double TWO_TO_63 = 0x1p63;

  private Casts() {}

  /**
   * The length or precision in a cast's type; -1 for none.
   *
   * @param length of {@code varchar(n)}, or precision of {@code numeric(p,s)}
   * @param scale of {@code numeric(p,s)}
   */
  public record Limit(int length, int scale) {
    public static final Limit NONE = new Limit(-1, -1);
  }

  /** Whether a value is taken for another type without a cast being written. */
  public static boolean isImplicit(Base from, Base to) {
    if (from == to) {
      return true;
    }
    return switch (from) {
      case SMALLINT, INTEGER, BIGINT, NUMERIC, REAL -> to.isNumber() && to.compareTo(from) > 0;
      case BPCHAR -> to == Base.TEXT;
      case TEXT -> to == Base.BPCHAR;
      case DATE -> to == Base.TIMESTAMP || to == Base.TIMESTAMPTZ;
      case TIMESTAMP -> to == Base.TIMESTAMPTZ;
      default -> false;
    };
  }

  /** Whether there is a cast at all. */
  public static boolean isAllowed(Base from, Base to) {
    if (isImplicit(from, to) || from.isText()) {
      return to != Base.OTHER || from == to;
    }
    return switch (from) {
      case SMALLINT, INTEGER, BIGINT, NUMERIC ->
          to.isNumber() || to.isText() || (from == Base.INTEGER && to == Base.BOOLEAN);
      case REAL, DOUBLE -> to.isNumber();
      case BOOLEAN -> to == Base.INTEGER || to.isText();
      case DATE, OTHER, UUID -> to.isText();
      case TIME -> to.isText() || to == Base.INTERVAL;
      case TIMESTAMP, TIMESTAMPTZ -> to.isMoment() || to == Base.TIME || to.isText();
      case JSON, JSONB -> to.isText() || to.isJson();
      case TEXT, BPCHAR, BYTEA, INTERVAL, UNKNOWN, UNSEEN -> false;
    };
  }

  /**
   * A value as one of another type.
   *
   * @throws ValueException where the value has no counterpart in {@code to}
   */
  public static Object cast(Base from, Base to, Limit limit, Object value) {
    Object cast = from == to ? value : convert(from, to, value);
    if (limit.length() < 0) {
      return cast;
    }
    if (cast instanceof String text) {
      boolean longer = text.codePointCount(0, text.length()) > limit.length();
      return longer ? text.substring(0, text.offsetByCodePoints(0, limit.length())) : text;
    }
    return limited(cast, limit);
  }

  private static Object limited(Object numeric, Limit limit) {
    if (numeric instanceof Double special) {
      if (special.isInfinite()) {
        throw new ValueException("numeric field overflow");
      }
      return special;
    }
    BigDecimal rounded = ((BigDecimal) numeric).setScale(limit.scale(), RoundingMode.HALF_UP);
    if (rounded.signum() != 0 && rounded.precision() > limit.length()) {
      throw new ValueException("numeric field overflow");
    }
    return rounded;
  }

  private static Object convert(Base from, Base to, Object value) {
    if (from == Base.BPCHAR) {
      String stripped = Ordering.stripped((String) value);
      return to == Base.TEXT ? stripped : TextInput.parse(to, stripped);
    }
    if (from == Base.TEXT) {
      return TextInput.parse(to, (String) value);
    }
    if (to.isText()) {
      return text(from, value);
    }
    return switch (to) {
      case SMALLINT, INTEGER, BIGINT -> whole(to, value);
      case NUMERIC -> numeric(from, value);
      case REAL -> real(value);
      case DOUBLE -> asDouble(value);
      case BOOLEAN -> (Long) value != 0;
      case DATE -> DateTimes.dayOf((Long) value);
      case TIME -> timeOf((Long) value);
      case TIMESTAMP, TIMESTAMPTZ -> from == Base.DATE ? DateTimes.atMidnight((Long) value) : value;
      case INTERVAL -> new Interval(0, 0, (Long) value);
      case JSON, JSONB -> value;
      case TEXT, BPCHAR, BYTEA, UUID, OTHER, UNKNOWN, UNSEEN ->
          throw new ValueException("no cast from " + from + " to " + to);
    };
  }

  private static Long timeOf(long micros) {
    if (DateTimes.isInfinite(micros)) {
      throw new ValueException("timestamp out of range");
    }
    return DateTimes.timeOf(micros);
  }

  private static Long whole(Base to, Object value) {
    if (value instanceof Boolean bool) {
      return bool ? 1L : 0L;
    }
    if (value instanceof Long whole) {
      return Numbers.inRange(to, whole);
    }
    if (value instanceof Double number) {
      double rounded = Math.rint(number);
      if (Double.isNaN(rounded) || rounded < -TWO_TO_63 || rounded >= TWO_TO_63) {
        throw Numbers.outOfRange(to);
      }
      return Numbers.inRange(to, (long) rounded);
    }
    try {
      BigDecimal rounded = ((BigDecimal) value).setScale(0, RoundingMode.HALF_UP);
      return Numbers.inRange(to, rounded.longValueExact());
    } catch (ArithmeticException e) {
      throw Numbers.outOfRange(to);
    }
  }

  /** Floating point numbers lose what is beyond their decimal digits: 15, of {@code real} 6. */
  private static Object numeric(Base from, Object value) {
    if (value instanceof Long whole) {
      return BigDecimal.valueOf(whole);
    }
    double number = (Double) value;
    if (Double.isNaN(number) || Double.isInfinite(number)) {
      return value;
    }
    MathContext digits = new MathContext(from == Base.REAL ? 6 : 15, RoundingMode.HALF_EVEN);
    BigDecimal rounded = new BigDecimal(number).round(digits);
    BigDecimal stripped = rounded.signum() == 0 ? BigDecimal.ZERO : rounded.stripTrailingZeros();
    return stripped.scale() < 0 ? stripped.setScale(0) : stripped;
  }

  private static Double asDouble(Object value) {
    if (value instanceof Double number) {
      return number;
    }
    double number = ((Number) value).doubleValue();
    boolean zero = value instanceof Long || ((BigDecimal) value).signum() == 0;
    if (Double.isInfinite(number) || (number == 0 && !zero)) {
      throw Numbers.outOfRange(Base.DOUBLE);
    }
    return number;
  }

  private static Double real(Object value) {
    float number = ((Number) value).floatValue();
    boolean infinite = value instanceof Double d && Double.isInfinite(d);
    boolean zero = ((Number) value).doubleValue() == 0;
    if ((Float.isInfinite(number) && !infinite) || (number == 0 && !zero)) {
      throw Numbers.outOfRange(Base.REAL);
    }
    return (double) number;
  }

  private static String text(Base from, Object value) {
    return switch (from) {
      case SMALLINT, INTEGER, BIGINT, BOOLEAN, UUID, OTHER -> value.toString();
      case NUMERIC ->
          value instanceof BigDecimal number ? number.toPlainString() : value.toString();
      case DATE -> DateTimes.dateText((Long) value);
      case TIME -> DateTimes.timeText((Long) value);
      case TIMESTAMP -> DateTimes.timestampText((Long) value, false);
      case TIMESTAMPTZ -> DateTimes.timestampText((Long) value, true);
      case JSON, JSONB -> ((Json) value).print(from);
      case REAL, DOUBLE, TEXT, BPCHAR, BYTEA, INTERVAL, UNKNOWN, UNSEEN ->
          throw new ValueException("no cast from " + from + " to text");
    };
  }
}
