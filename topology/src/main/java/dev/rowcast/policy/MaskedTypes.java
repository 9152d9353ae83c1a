package dev.rowcast.policy;

import dev.rowcast.config.TableConfig.MaskConfig;
import dev.rowcast.event.Column;
import dev.rowcast.policy.sql.TableColumns;
import dev.rowcast.policy.value.SqlType;
import dev.rowcast.policy.value.SqlType.Base;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Which masks fit which types: a masked column keeps the type that readers expect. */
final class MaskedTypes {
  private MaskedTypes() {}

  /**
   * @throws Masks.Unusable for a mask that would show nothing but null, or a value of another type;
   *     where the type isn't known nothing is checked
   */
  static void check(MaskConfig mask, TableColumns.Known known, String name) throws Masks.Unusable {
    SqlType type =
        known.columns().stream()
            .filter(column -> column.name().equals(name))
            .map((Column column) -> SqlType.of(column))
            .findFirst()
            .orElse(null);
    if (type == null) {
      if (known.complete()) {
        throw new Masks.Unusable("no such column", "a column of the table");
      }
      return;
    }
    String what = mask.type().name().toLowerCase(Locale.ROOT) + " of type " + type;
    switch (mask.type()) {
      case NULL, HASH -> {}
      case REGEX -> require(isText(type), what, "a column of type text");
      case TRUNCATE -> truncate(mask, type, what);
      case CONSTANT ->
          require(
              fits(mask.value(), type), what + ": " + mask.value(), "a value of the column's type");
    }
  }

  private static void truncate(MaskConfig mask, SqlType type, String what) throws Masks.Unusable {
    boolean length = mask.precision() != null && mask.precision().strip().matches("[0-9]+");
    require(
        length ? isText(type) : !type.array() && type.base().isMoment(),
        what + " to " + mask.precision(),
        length ? "a column of type text" : "a date or a timestamp");
  }

  private static boolean isText(SqlType type) {
    return !type.array() && (type.base().isText() || type.base() == Base.OTHER);
  }

  private static boolean fits(@Nullable String json, SqlType type) {
    String value = json == null ? "null" : json.strip();
    Base base = type.base();
    if (value.equals("null") || base.isJson() || base == Base.OTHER) {
      return true;
    }
    if (type.array()) {
      return value.startsWith("[");
    }
    boolean text = value.startsWith("\"");
    if (base == Base.BOOLEAN) {
      return value.equals("true") || value.equals("false");
    }
    return base.isNumber() ? value.matches("-?[0-9].*") : text;
  }

  private static void require(boolean condition, String found, String expected)
      throws Masks.Unusable {
    if (!condition) {
      throw new Masks.Unusable(found, expected);
    }
  }
}
