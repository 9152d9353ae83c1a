package dev.rowcast.policy.value;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.rowcast.policy.value.SqlType.Base;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Values out of text, as literals and casts from text have it. Takes what PostgreSQL takes, but of
 * its many forms of dates and numbers only the usual ones. Stateless; thread-safe.
 */
public final class TextInput {
  private static final ObjectMapper JSON =
      JsonMapper.builder()
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
          .build();
  private static final Pattern WHOLE = Pattern.compile("[+-]?[0-9]{1,30}");
  private static final Pattern NUMBER =
      Pattern.compile("[+-]?(?:[0-9]+(?:\\.[0-9]*)?|\\.[0-9]+)(?:[eE][+-]?[0-9]{1,5})?");
  private static final Pattern UUID =
      Pattern.compile(
          "(?:[0-9a-fA-F]{4}-?){7}[0-9a-fA-F]{4}|\\{(?:[0-9a-fA-F]{4}-?){7}[0-9a-fA-F]{4}}");

  private TextInput() {}

  /**
   * What a text means as a value of a type.
   *
   * @throws ValueException where the text is no value of the type
   */
  public static Object parse(Base type, String text) {
    return switch (type) {
      case BOOLEAN -> bool(text);
      case SMALLINT, INTEGER, BIGINT -> whole(type, text);
      case NUMERIC -> numeric(text);
      case REAL, DOUBLE -> floating(type, text);
      case TEXT, BPCHAR, OTHER, UNKNOWN -> text;
      case BYTEA -> bytes(text);
      case DATE -> DateTimes.parseDate(text);
      case TIME -> DateTimes.parseTime(text);
      case TIMESTAMP -> DateTimes.parseTimestamp(text, false);
      case TIMESTAMPTZ -> DateTimes.parseTimestamp(text, true);
      case INTERVAL -> IntervalText.parse(text);
      case UUID -> uuid(text);
      case JSON, JSONB -> json(text);
      case UNSEEN -> throw new ValueException("type not known yet");
    };
  }

  /** As {@link #parse}, for the form {@code {a,"b c",NULL}} of one-dimensional arrays. */
  public static List<@Nullable Object> parseArray(Base element, String text) {
    String form = text.strip();
    if (form.length() < 2 || form.charAt(0) != '{' || form.charAt(form.length() - 1) != '}') {
      throw new ValueException("malformed array literal");
    }
    List<@Nullable Object> values = new ArrayList<>();
    String inside = form.substring(1, form.length() - 1);
    int at = 0;
    while (!inside.isBlank() && at <= inside.length()) {
      StringBuilder value = new StringBuilder();
      boolean quoted = false;
      boolean inQuotes = false;
      while (at < inside.length() && (inQuotes || inside.charAt(at) != ',')) {
        char c = inside.charAt(at++);
        if (c == '"') {
          quoted = true;
          inQuotes = !inQuotes;
        } else if (c == '\\' && at < inside.length()) {
          value.append(inside.charAt(at++));
        } else if (!inQuotes && (c == '{' || c == '}')) {
          throw new ValueException("malformed array literal");
        } else {
          value.append(c);
        }
      }
      String one = quoted ? value.toString() : value.toString().strip();
      if (inQuotes || (!quoted && one.isEmpty())) {
        throw new ValueException("malformed array literal");
      }
      values.add(!quoted && one.equalsIgnoreCase("null") ? null : parse(element, one));
      at++;
    }
    return values;
  }

  private static ValueException malformed(Base type) {
    return new ValueException("invalid input syntax for type " + SqlType.of(type));
  }

  private static Boolean bool(String text) {
    String word = text.strip().toLowerCase(Locale.ROOT);
    if (word.isEmpty()) {
      throw malformed(Base.BOOLEAN);
    }
    if ("true".startsWith(word)
        || "yes".startsWith(word)
        || word.equals("on")
        || word.equals("1")) {
      return true;
    }
    boolean off = word.equals("off") || word.equals("of") || word.equals("0");
    if ("false".startsWith(word) || "no".startsWith(word) || off) {
      return false;
    }
    throw malformed(Base.BOOLEAN);
  }

  private static Long whole(Base type, String text) {
    String number = text.strip();
    if (!WHOLE.matcher(number).matches()) {
      throw malformed(type);
    }
    try {
      return Numbers.inRange(type, Long.parseLong(number));
    } catch (NumberFormatException e) {
      throw Numbers.outOfRange(type);
    }
  }

  /** A number as JSON and SQL write it, or NaN or an infinity. */
  static Object numeric(String text) {
    String number = text.strip();
    Double special = special(number);
    if (special != null) {
      return special;
    }
    if (!NUMBER.matcher(number).matches()) {
      throw malformed(Base.NUMERIC);
    }
    BigDecimal value = new BigDecimal(number);
    Numbers.bounded(value);
    return value.scale() < 0 ? value.setScale(0) : value;
  }

  private static @Nullable Double special(String number) {
    return switch (number.toLowerCase(Locale.ROOT)) {
      case "nan" -> Double.NaN;
      case "infinity", "+infinity", "inf", "+inf" -> Double.POSITIVE_INFINITY;
      case "-infinity", "-inf" -> Double.NEGATIVE_INFINITY;
      default -> null;
    };
  }

  private static Double floating(Base type, String text) {
    String number = text.strip();
    Double special = special(number);
    if (special != null) {
      return special;
    }
    if (!NUMBER.matcher(number).matches()) {
      throw malformed(type);
    }
    double value = type == Base.REAL ? Float.parseFloat(number) : Double.parseDouble(number);
    boolean zero = number.replaceFirst("[eE].*", "").chars().noneMatch(c -> c >= '1' && c <= '9');
    if (Double.isInfinite(value) || (value == 0 && !zero)) {
      throw Numbers.outOfRange(type);
    }
    return value;
  }

  private static String uuid(String text) {
    if (!UUID.matcher(text).matches()) {
      throw malformed(Base.UUID);
    }
    String hex = text.replaceAll("[{}-]", "").toLowerCase(Locale.ROOT);
    return String.join(
        "-",
        hex.substring(0, 8),
        hex.substring(8, 12),
        hex.substring(12, 16),
        hex.substring(16, 20),
        hex.substring(20));
  }

  private static byte[] bytes(String text) {
    try {
      if (text.startsWith("\\x")) {
        return HexFormat.of().parseHex(text.substring(2));
      }
    } catch (IllegalArgumentException e) {
      throw malformed(Base.BYTEA);
    }
    if (text.indexOf('\\') >= 0) {
      throw malformed(Base.BYTEA);
    }
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static Json json(String text) {
    try {
      return json(JSON.readTree(text));
    } catch (JsonProcessingException e) {
      throw malformed(Base.JSON);
    }
  }

  /** Any value of strings, numbers, booleans, lists and maps as JSON. */
  public static Json json(Object value) {
    try {
      byte[] bytes = JSON.writeValueAsBytes(value);
      return new Json(bytes, 0, bytes.length);
    } catch (JsonProcessingException e) {
      throw malformed(Base.JSON);
    }
  }
}
