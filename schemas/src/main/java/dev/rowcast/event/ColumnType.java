package dev.rowcast.event;

import java.util.List;
import java.util.Locale;
import java.util.Map;

/** What a column holds, as far as its JSON form depends on it. */
public sealed interface ColumnType {

  /** A single value. */
  enum Scalar implements ColumnType {
    BOOLEAN,
    SMALLINT,
    INTEGER,
    BIGINT,
    DECIMAL,
    REAL,
    DOUBLE,
    TEXT,
    BYTES,
    DATE,
    TIME,
    TIMESTAMP,
    TIMESTAMP_TZ,
    INTERVAL,
    JSON,
    UUID,
    /** Anything else: told as its source tells it. */
    OTHER
  }

  /** Values of one type in an array of any depth. */
  record Array(ColumnType element) implements ColumnType {}

  /** A row type: its fields in order. */
  record Composite(List<Column> fields) implements ColumnType {
    public Composite {
      fields = List.copyOf(fields);
    }
  }

  /** The names of SQL types, lower-case, without length or precision. */
  Map<String, Scalar> NAMES =
      Map.ofEntries(
          Map.entry("boolean", Scalar.BOOLEAN),
          Map.entry("bool", Scalar.BOOLEAN),
          Map.entry("smallint", Scalar.SMALLINT),
          Map.entry("int2", Scalar.SMALLINT),
          Map.entry("integer", Scalar.INTEGER),
          Map.entry("int", Scalar.INTEGER),
          Map.entry("int4", Scalar.INTEGER),
          Map.entry("bigint", Scalar.BIGINT),
          Map.entry("int8", Scalar.BIGINT),
          Map.entry("numeric", Scalar.DECIMAL),
          Map.entry("decimal", Scalar.DECIMAL),
          Map.entry("real", Scalar.REAL),
          Map.entry("float4", Scalar.REAL),
          Map.entry("double precision", Scalar.DOUBLE),
          Map.entry("double", Scalar.DOUBLE),
          Map.entry("float", Scalar.DOUBLE),
          Map.entry("float8", Scalar.DOUBLE),
          Map.entry("text", Scalar.TEXT),
          Map.entry("varchar", Scalar.TEXT),
          Map.entry("character varying", Scalar.TEXT),
          Map.entry("char", Scalar.TEXT),
          Map.entry("character", Scalar.TEXT),
          Map.entry("bpchar", Scalar.TEXT),
          Map.entry("name", Scalar.TEXT),
          Map.entry("citext", Scalar.TEXT),
          Map.entry("string", Scalar.TEXT),
          Map.entry("bytea", Scalar.BYTES),
          Map.entry("blob", Scalar.BYTES),
          Map.entry("binary", Scalar.BYTES),
          Map.entry("varbinary", Scalar.BYTES),
          Map.entry("date", Scalar.DATE),
          Map.entry("time", Scalar.TIME),
          Map.entry("time without time zone", Scalar.TIME),
          Map.entry("timestamp", Scalar.TIMESTAMP),
          Map.entry("timestamp without time zone", Scalar.TIMESTAMP),
          Map.entry("datetime", Scalar.TIMESTAMP),
          Map.entry("timestamptz", Scalar.TIMESTAMP_TZ),
          Map.entry("timestamp with time zone", Scalar.TIMESTAMP_TZ),
          Map.entry("interval", Scalar.INTERVAL),
          Map.entry("json", Scalar.JSON),
          Map.entry("jsonb", Scalar.JSON),
          Map.entry("uuid", Scalar.UUID));

  /**
   * The type of an SQL type name such as {@code numeric(10,2)}, {@code timestamp(3) with time zone}
   * or {@code text[]}; {@link Scalar#OTHER} for a name that isn't known.
   */
  static ColumnType ofSqlName(String sqlName) {
    String name = sqlName.strip().toLowerCase(Locale.ROOT);
    if (name.endsWith("[]")) {
      return new Array(ofSqlName(name.replaceAll("(\\s*\\[])+$", "")));
    }
    String bare = name.replaceAll("\\s*\\([^)]*\\)", "").replaceAll("\\s+", " ").strip();
    return NAMES.getOrDefault(bare, Scalar.OTHER);
  }
}
