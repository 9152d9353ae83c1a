package dev.rowcast.policy;

import dev.rowcast.event.JsonObject;
import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/** A value that columns and claims can be compared by: equal as SQL has it, {@code 1 = 1.00}. */
public sealed interface Scalar {

  /** A text, by its code points. */
  record Text(String value) implements Scalar {}

  /** A number, by its value, whatever its scale. */
  record Numeric(BigDecimal value) implements Scalar {
    // 10^1000000000 is a few bytes of JSON and gigabytes as an integer
    private static final int MAX_SCALE = 20_000;

    public Numeric {
      if (Math.abs((long) value.scale()) <= MAX_SCALE) {
        value = value.signum() == 0 ? BigDecimal.ZERO : value.stripTrailingZeros();
      }
    }
  }

  /** A truth value. */
  record Bool(boolean value) implements Scalar {}

  /**
   * The value of member {@code i} of a row; null for SQL NULL and for what isn't a single value
   * (arrays, objects), which equals nothing.
   */
  static @Nullable Scalar of(JsonObject row, int i) {
    return switch (row.bytes()[row.valueStart(i)]) {
      case '"' -> new Text(row.stringValue(i));
      case 't' -> new Bool(true);
      case 'f' -> new Bool(false);
      case 'n', '{', '[' -> null;
      default -> new Numeric(new BigDecimal(row.valueText(i)));
    };
  }

  /** A claim's value; null for what isn't a single value. */
  static @Nullable Scalar ofClaim(@Nullable Object claim) {
    if (claim instanceof String text) {
      return new Text(text);
    }
    if (claim instanceof Boolean bool) {
      return new Bool(bool);
    }
    if (claim instanceof BigDecimal number) {
      return new Numeric(number);
    }
    return claim instanceof Long number ? new Numeric(BigDecimal.valueOf(number)) : null;
  }
}
