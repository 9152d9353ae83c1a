package dev.rowcast.policy.eval;

import dev.rowcast.policy.sql.SettingNames;
import dev.rowcast.policy.value.Casts;
import dev.rowcast.policy.value.SqlType;
import dev.rowcast.policy.value.SqlType.Base;
import dev.rowcast.policy.value.TextInput;
import dev.rowcast.policy.value.ValueException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Claims as SQL values. A claim is taken for what it is: a text is no number and a number no text.
 * What JSON has no type for comes as text: dates, times, uuids, bytes.
 */
final class ClaimValues {
  private static final int MOST_ELEMENTS = 10_000;
  private static final Set<Base> AS_TEXT =
      Set.of(
          Base.TEXT,
          Base.BPCHAR,
          Base.BYTEA,
          Base.DATE,
          Base.TIME,
          Base.TIMESTAMP,
          Base.TIMESTAMPTZ,
          Base.INTERVAL,
          Base.UUID);

  private ClaimValues() {}

  /**
   * @throws ValueException where there is no such claim, or it isn't of the type
   */
  static Object claim(ClaimSource claims, String path, SqlType type) {
    Object claim = claims.claim(path);
    if (claim == null) {
      throw new ValueException("claim '" + path + "' is missing");
    }
    if (!type.array()) {
      return value(type.base(), path, claim);
    }
    if (!(claim instanceof List<?> list) || list.size() > MOST_ELEMENTS) {
      throw wrong(path, "a list of at most " + MOST_ELEMENTS);
    }
    List<@Nullable Object> values = new ArrayList<>();
    for (Object element : list) {
      values.add(element == null ? null : value(type.base(), path, element));
    }
    return values;
  }

  private static ValueException wrong(String path, String expected) {
    return new ValueException("claim '" + path + "' isn't " + expected);
  }

  private static Object value(Base type, String path, Object claim) {
    if (type.isJson()) {
      return TextInput.json(claim);
    }
    if (type == Base.BOOLEAN && claim instanceof Boolean) {
      return claim;
    }
    if (type.isNumber() && claim instanceof Long number) {
      return Casts.cast(Base.BIGINT, type, Casts.Limit.NONE, number);
    }
    if (type.isNumber() && claim instanceof BigDecimal number) {
      if (type.isInteger() && number.stripTrailingZeros().scale() > 0) {
        throw wrong(path, "a whole number");
      }
      return Casts.cast(Base.NUMERIC, type, Casts.Limit.NONE, number);
    }
    if (AS_TEXT.contains(type) && claim instanceof String text) {
      return TextInput.parse(type, text);
    }
    throw wrong(path, "of type " + SqlType.of(type));
  }

  /**
   * A setting: the first claim there is of its exact name, the name without {@code provisa.}, and
   * that without {@code user_}; as text, which settings are. Null where there is none.
   *
   * @throws ValueException where it isn't a single value
   */
  static @Nullable String setting(ClaimSource claims, String name) {
    for (String candidate : SettingNames.of(name)) {
      Object claim = claims.claim(candidate);
      if (claim instanceof BigDecimal number) {
        return number.toPlainString();
      }
      if (claim instanceof String || claim instanceof Long || claim instanceof Boolean) {
        return claim.toString();
      }
      if (claim instanceof List || claim instanceof Map) {
        throw wrong(candidate, "a single value");
      }
    }
    return null;
  }
}
