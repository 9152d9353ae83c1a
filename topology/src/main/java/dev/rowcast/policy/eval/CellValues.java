package dev.rowcast.policy.eval;

import dev.rowcast.event.JsonObject;
import dev.rowcast.policy.value.Json;
import dev.rowcast.policy.value.SqlType;
import dev.rowcast.policy.value.SqlType.Base;
import dev.rowcast.policy.value.TextInput;
import dev.rowcast.policy.value.ValueException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** SQL values out of JSON, in the form that {@link dev.rowcast.event.RowEncoder} gives them. */
final class CellValues {
  private static final int LONG_DIGITS = 18;

  private CellValues() {}

  /**
   * The value of member {@code i}; null for NULL.
   *
   * @throws ValueException where it isn't of the type
   */
  static @Nullable Object read(SqlType type, JsonObject row, int i) {
    byte[] bytes = row.bytes();
    int from = row.valueStart(i);
    int to = row.valueEnd(i);
    if (bytes[from] == 'n') {
      return null;
    }
    return type.array() ? array(type.base(), bytes, from, to) : value(type.base(), bytes, from, to);
  }

  private static Object value(Base type, byte[] bytes, int from, int to) {
    boolean string = bytes[from] == '"';
    return switch (type) {
      case BOOLEAN -> bool(bytes, from);
      case SMALLINT, INTEGER, BIGINT -> whole(type, bytes, from, to);
      case NUMERIC, REAL, DOUBLE ->
          TextInput.parse(type, string ? text(bytes, from, to) : number(bytes, from, to));
      case BYTEA -> base64(text(bytes, from, to));
      case DATE, TIME, TIMESTAMP, TIMESTAMPTZ, INTERVAL, UUID ->
          TextInput.parse(type, text(bytes, from, to));
      case TEXT, BPCHAR, OTHER -> text(bytes, from, to);
      case JSON, JSONB -> new Json(bytes, from, to);
      case UNKNOWN, UNSEEN -> throw notOf(type);
    };
  }

  private static ValueException notOf(Base type) {
    return new ValueException("a value isn't of type " + SqlType.of(type));
  }

  private static Boolean bool(byte[] bytes, int from) {
    return switch (bytes[from]) {
      case 't' -> true;
      case 'f' -> false;
      default -> throw notOf(Base.BOOLEAN);
    };
  }

  private static String text(byte[] bytes, int from, int to) {
    if (bytes[from] != '"') {
      throw notOf(Base.TEXT);
    }
    for (int i = from + 1; i < to - 1; i++) {
      if (bytes[i] == '\\') {
        return JsonObject.decode(bytes, from + 1, to - 1);
      }
    }
    return new String(bytes, from + 1, to - from - 2, StandardCharsets.UTF_8);
  }

  private static String number(byte[] bytes, int from, int to) {
    if (bytes[from] != '-' && (bytes[from] < '0' || bytes[from] > '9')) {
      throw notOf(Base.NUMERIC);
    }
    return new String(bytes, from, to - from, StandardCharsets.US_ASCII);
  }

  private static Long whole(Base type, byte[] bytes, int from, int to) {
    boolean negative = bytes[from] == '-';
    int start = negative ? from + 1 : from;
    long value = 0;
    for (int i = start; i < to; i++) {
      int digit = bytes[i] - '0';
      if (digit < 0 || digit > 9 || to - start > LONG_DIGITS) {
        return wholeOf(type, bytes, from, to);
      }
      value = value * 10 + digit;
    }
    return negative ? -value : value;
  }

  /** A whole number in another form: nineteen digits, {@code 1.0}, in quotes. */
  private static Long wholeOf(Base type, byte[] bytes, int from, int to) {
    String form = bytes[from] == '"' ? text(bytes, from, to) : number(bytes, from, to);
    try {
      if (TextInput.parse(Base.NUMERIC, form) instanceof BigDecimal number) {
        return number.longValueExact();
      }
    } catch (ArithmeticException e) {
      throw notOf(type);
    }
    throw notOf(type);
  }

  private static byte[] base64(String text) {
    try {
      return Base64.getDecoder().decode(text);
    } catch (IllegalArgumentException e) {
      throw notOf(Base.BYTEA);
    }
  }

  /** All single values of an array, whatever its depth. */
  private static List<@Nullable Object> array(Base element, byte[] bytes, int from, int to) {
    if (bytes[from] != '[') {
      throw new ValueException("a value isn't an array");
    }
    List<@Nullable Object> values = new ArrayList<>();
    int at = from + 1;
    while (at < to - 1) {
      int end = Json.end(bytes, at);
      if (bytes[at] == 'n') {
        values.add(null);
      } else if (bytes[at] == '[' && !element.isJson()) {
        values.addAll(array(element, bytes, at, end));
      } else {
        values.add(value(element, bytes, at, end));
      }
      at = end + 1;
    }
    return values;
  }
}
