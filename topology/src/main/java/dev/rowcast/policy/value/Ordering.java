package dev.rowcast.policy.value;

import dev.rowcast.policy.value.SqlType.Base;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.util.Arrays;

/** How PostgreSQL compares values that aren't null. Stateless; thread-safe. */
public final class Ordering {
  private Ordering() {}

  /** Compares two values of one type; negative, zero or positive. */
  public static int compare(Base type, Object a, Object b) {
    return switch (type) {
      case SMALLINT, INTEGER, BIGINT, DATE, TIME, TIMESTAMP, TIMESTAMPTZ ->
          Long.compare((Long) a, (Long) b);
      case NUMERIC -> numeric(a, b);
      case REAL, DOUBLE -> doubles((Double) a, (Double) b);
      case TEXT, UUID -> text((String) a, (String) b);
      case BPCHAR -> text(stripped((String) a), stripped((String) b));
      case BOOLEAN -> Boolean.compare((Boolean) a, (Boolean) b);
      case BYTEA -> Arrays.compareUnsigned((byte[]) a, (byte[]) b);
      case INTERVAL -> ((Interval) a).compareTo((Interval) b);
      case JSON, JSONB, OTHER, UNKNOWN, UNSEEN ->
          throw new ValueException("values of type " + type + " don't compare");
    };
  }

  /** What is equal, in {@link Object#equals} and hash, exactly for equal values of one type. */
  public static Object key(Base type, Object value) {
    return switch (type) {
      case NUMERIC -> value instanceof BigDecimal number ? numericKey(number) : value;
      case REAL, DOUBLE -> (Double) value == 0 ? (Object) 0.0 : value;
      case BPCHAR -> stripped((String) value);
      case BYTEA -> ByteBuffer.wrap((byte[]) value);
      case BOOLEAN,
          SMALLINT,
          INTEGER,
          BIGINT,
          TEXT,
          DATE,
          TIME,
          TIMESTAMP,
          TIMESTAMPTZ,
          INTERVAL,
          UUID ->
          value;
      case JSON, JSONB, OTHER, UNKNOWN, UNSEEN ->
          throw new ValueException("values of type " + type + " don't compare");
    };
  }

  private static Object numericKey(BigDecimal number) {
    BigDecimal stripped = number.signum() == 0 ? BigDecimal.ZERO : number.stripTrailingZeros();
    boolean whole = stripped.scale() <= 0 && stripped.precision() - stripped.scale() <= 18;
    return whole ? (Object) stripped.longValue() : stripped;
  }

  static int numeric(Object a, Object b) {
    if (a instanceof BigDecimal x && b instanceof BigDecimal y) {
      return x.compareTo(y);
    }
    return doubles(rank(a), rank(b));
  }

  /** Any finite number stands between the infinities: which one doesn't matter. */
  private static double rank(Object numeric) {
    return numeric instanceof Double special ? special : 0;
  }

  static int doubles(double a, double b) {
    if (Double.isNaN(a) || Double.isNaN(b)) {
      return Boolean.compare(Double.isNaN(a), Double.isNaN(b));
    }
    return a < b ? -1 : a > b ? 1 : 0; // 0.0 and -0.0 are equal
  }

  /** By code point, which is also the order of UTF-8 bytes; chars alone are not. */
  static int text(String a, String b) {
    int length = Math.min(a.length(), b.length());
    for (int i = 0; i < length; i++) {
      char x = a.charAt(i);
      char y = b.charAt(i);
      if (x != y) {
        boolean differ = Character.isSurrogate(x) != Character.isSurrogate(y);
        return differ ? (Character.isSurrogate(x) ? 1 : -1) : Character.compare(x, y);
      }
    }
    return Integer.compare(a.length(), b.length());
  }

  /** Blanks at the end of a {@code character} don't count. */
  static String stripped(String text) {
    int end = text.length();
    while (end > 0 && text.charAt(end - 1) == ' ') {
      end--;
    }
    return text.substring(0, end);
  }
}
