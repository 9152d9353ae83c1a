package dev.rowcast.policy.value;

import dev.rowcast.event.Column;
import dev.rowcast.event.ColumnType;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * A type of SQL.
 *
 * @param base the type, of an array the type of its elements
 * @param array whether it is an array of these
 */
public record SqlType(Base base, boolean array) {

  /** A type of single values. */
  public enum Base {
    BOOLEAN("boolean"),
    SMALLINT("smallint"),
    INTEGER("integer"),
    BIGINT("bigint"),
    NUMERIC("numeric"),
    REAL("real"),
    DOUBLE("double precision"),
    TEXT("text"),
    BPCHAR("character"),
    BYTEA("bytea"),
    DATE("date"),
    TIME("time"),
    TIMESTAMP("timestamp"),
    TIMESTAMPTZ("timestamp with time zone"),
    INTERVAL("interval"),
    UUID("uuid"),
    JSON("json"),
    JSONB("jsonb"),
    /** A type that only its text is known of: an enum, an address. */
    OTHER("a type of the database's own"),
    /** Of a literal in quotes or a claim that nothing has given a type yet. */
    UNKNOWN("unknown"),
    /** Of a column that isn't known yet. */
    UNSEEN("not known yet");

    private final String sqlName;

    Base(String sqlName) {
      this.sqlName = sqlName;
    }

    public boolean isInteger() {
      return this == SMALLINT || this == INTEGER || this == BIGINT;
    }

    public boolean isFloat() {
      return this == REAL || this == DOUBLE;
    }

    public boolean isNumber() {
      return isInteger() || isFloat() || this == NUMERIC;
    }

    public boolean isText() {
      return this == TEXT || this == BPCHAR;
    }

    public boolean isMoment() {
      return this == DATE || this == TIMESTAMP || this == TIMESTAMPTZ;
    }

    public boolean isJson() {
      return this == JSON || this == JSONB;
    }
  }

  public static final SqlType BOOLEAN = new SqlType(Base.BOOLEAN, false);
  public static final SqlType INTEGER = new SqlType(Base.INTEGER, false);
  public static final SqlType TEXT = new SqlType(Base.TEXT, false);
  public static final SqlType UNKNOWN = new SqlType(Base.UNKNOWN, false);
  public static final SqlType UNSEEN = new SqlType(Base.UNSEEN, false);

  // names of other databases beside those that ColumnType knows
  private static final Map<String, Base> FOREIGN =
      Map.of(
          "tinyint", Base.SMALLINT,
          "mediumint", Base.INTEGER,
          "smallint unsigned", Base.INTEGER,
          "int unsigned", Base.BIGINT,
          "bigint unsigned", Base.NUMERIC,
          "nvarchar", Base.TEXT,
          "longtext", Base.TEXT,
          "mediumtext", Base.TEXT);

  public static SqlType of(Base base) {
    return new SqlType(base, false);
  }

  public static SqlType arrayOf(Base element) {
    return new SqlType(element, true);
  }

  /** The type of a column; of arrays in arrays the type of their single values. */
  public static SqlType of(Column column) {
    ColumnType type = column.type();
    boolean array = false;
    while (type instanceof ColumnType.Array of) {
      type = of.element();
      array = true;
    }
    String name = bare(column.dataType());
    return new SqlType(
        type instanceof ColumnType.Scalar scalar ? base(scalar, name) : Base.OTHER, array);
  }

  /** The type that a cast names, without its length; empty where it isn't one. */
  public static Optional<Base> named(String sqlName) {
    String name = bare(sqlName);
    ColumnType.Scalar scalar = ColumnType.NAMES.get(name);
    if (scalar == null || name.equals("citext") || name.equals("name")) {
      return Optional.empty();
    }
    return Optional.of(base(scalar, name));
  }

  private static String bare(String sqlName) {
    String name = sqlName.strip().toLowerCase(Locale.ROOT);
    return name.replaceAll("\\s*\\([^)]*\\)", "")
        .replaceAll("(\\s*\\[\\s*])+$", "")
        .replaceAll("\\s+", " ")
        .strip();
  }

  private static Base base(ColumnType.Scalar scalar, String name) {
    return switch (scalar) {
      case BOOLEAN -> Base.BOOLEAN;
      case SMALLINT -> Base.SMALLINT;
      case INTEGER -> Base.INTEGER;
      case BIGINT -> Base.BIGINT;
      case DECIMAL -> Base.NUMERIC;
      case REAL -> Base.REAL;
      case DOUBLE -> Base.DOUBLE;
      case TEXT ->
          switch (name) {
            case "char", "character", "bpchar" -> Base.BPCHAR;
            case "citext" -> Base.OTHER;
            default -> Base.TEXT;
          };
      case BYTES -> Base.BYTEA;
      case DATE -> Base.DATE;
      case TIME -> Base.TIME;
      case TIMESTAMP -> Base.TIMESTAMP;
      case TIMESTAMP_TZ -> Base.TIMESTAMPTZ;
      case INTERVAL -> Base.INTERVAL;
      case JSON -> name.equals("json") ? Base.JSON : Base.JSONB;
      case UUID -> Base.UUID;
      case OTHER -> FOREIGN.getOrDefault(name, Base.OTHER);
    };
  }

  /** As PostgreSQL spells it. */
  @Override
  public String toString() {
    return array ? base.sqlName + "[]" : base.sqlName;
  }
}
