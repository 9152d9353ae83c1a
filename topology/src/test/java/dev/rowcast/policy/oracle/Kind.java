package dev.rowcast.policy.oracle;

import java.math.BigDecimal;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The column types that are drawn, with values few enough to meet each other. */
@SuppressWarnings("ImmutableEnumChecker") // values is what List.of makes
enum Kind {
  SMALLINT("smallint", "0", "1", "-1", "2", "3", "32767", "-32768"),
  INTEGER("integer", "0", "1", "-1", "2", "3", "7", "2147483647", "-2147483648"),
  BIGINT("bigint", "0", "1", "-1", "2", "3", "9223372036854775807", "-9223372036854775808"),
  NUMERIC(
      "numeric",
      "0",
      "1",
      "1.00",
      "-1.5",
      "2.5",
      "0.1",
      "3",
      "NaN",
      "Infinity",
      "123456789.125",
      "99999999999999999999.99"),
  MONEY("numeric(10,2)", "0", "1", "-1.5", "2.5", "0.1", "55", "99.99"),
  REAL("real", "0", "1", "-1.5", "0.1", "2.5", "NaN", "-Infinity", "-0", "3e10"),
  DOUBLE("double precision", "0", "1", "-1.5", "0.1", "2.5", "NaN", "Infinity", "-0", "1e300"),
  TEXT(
      "text", "", "a", "A", "b", "ab", "a%", "a_b", "a\\b", "é", "É", "ß", "😀", "\uFF5E", "1",
      "a ", "x\ny", "\"q\"", "o'b"),
  VARCHAR("varchar(4)", "", "a", "A", "b", "ab", "É", "1"),
  CHAR("char(3)", "", "a", "A", "b", "ab", "abc"),
  BOOLEAN("boolean", "true", "false"),
  DATE("date", "2026-11-30", "2026-12-01", "1970-01-01", "0044-03-15 BC", "infinity", "2024-02-29"),
  TIMESTAMP(
      "timestamp",
      "2026-11-30 20:12:31.123456",
      "2026-11-30 00:00:00",
      "1969-12-31 23:59:59",
      "2024-02-29 12:00:00",
      "infinity",
      "-infinity",
      "2026-01-31 10:00:00"),
  TIMESTAMPTZ(
      "timestamptz",
      "2026-11-30 20:12:31.123456+00",
      "2026-11-30 00:00:00+00",
      "2026-11-30 23:30:00-02",
      "1999-01-01 00:00:00+05:30",
      "infinity",
      "2024-02-29 12:00:00+00"),
  TIME("time", "00:00:00", "12:30:00", "23:59:59.999999", "24:00:00"),
  INTERVAL(
      "interval",
      "1 day",
      "24 hours",
      "1 mon",
      "30 days",
      "-00:00:01",
      "1 year 2 mons 3 days",
      "00:00:00",
      "2 days 03:04:05.5"),
  UUID(
      "uuid",
      "00000000-0000-0000-0000-000000000001",
      "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11",
      "ffffffff-ffff-ffff-ffff-ffffffffffff"),
  BYTEA("bytea", "\\x", "\\x00", "\\x00ff", "\\x6162"),
  JSONB(
      "jsonb",
      "{\"a\": 1, \"b\": \"x\"}",
      "{\"a\": \"1\", \"c\": null, \"b\": \"a\"}",
      "[1, \"a\", {\"a\": 2}]",
      "\"a\"",
      "7",
      "{}",
      "{\"a\": {\"b\": [1, 2]}, \"é\": 1.50}"),
  JSON(
      "json",
      "{\"a\": 1, \"b\": \"x\"}",
      "{\"a\": \"1\", \"a\": 3, \"b\": \"\\u00e9\"}",
      "[1, \"a\", 2]",
      "7");

  private final String sqlName;
  private final List<String> values;

  Kind(String sqlName, String... values) {
    this.sqlName = sqlName;
    this.values = List.of(values);
  }

  String sqlName() {
    return sqlName;
  }

  List<String> samples() {
    return values;
  }

  boolean isNumber() {
    return compareTo(DOUBLE) <= 0;
  }

  boolean isWhole() {
    return compareTo(BIGINT) <= 0;
  }

  boolean isText() {
    return this == TEXT || this == VARCHAR || this == CHAR;
  }

  boolean isMoment() {
    return this == DATE || this == TIMESTAMP || this == TIMESTAMPTZ;
  }

  boolean isJson() {
    return this == JSON || this == JSONB;
  }

  /** As JSON would have it; null for what JSON has no number for. */
  @Nullable Object claim(String text) {
    if (isNumber()) {
      if (text.contains("N") || text.contains("I") || text.equals("-0")) {
        return null;
      }
      BigDecimal number = new BigDecimal(text);
      BigDecimal plain = number.stripTrailingZeros();
      boolean whole = plain.scale() <= 0 && plain.precision() - plain.scale() < 20;
      return whole && plain.toBigInteger().bitLength() < 64
          ? (Object) plain.longValueExact()
          : number;
    }
    return this == BOOLEAN ? (Object) Boolean.valueOf(text) : text;
  }
}
