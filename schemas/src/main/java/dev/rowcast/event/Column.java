package dev.rowcast.event;

import static java.util.Objects.requireNonNull;

/**
 * A column.
 *
 * @param name as the database spells it
 * @param dataType the SQL type with length and precision, as the source or the configuration names
 *     it: {@code numeric(10,2)}
 * @param type what {@code dataType} means for the JSON form
 */
public record Column(String name, String dataType, ColumnType type) {
  public Column {
    requireNonNull(name, "name");
    requireNonNull(dataType, "dataType");
    requireNonNull(type, "type");
  }

  /** A column whose type follows from its SQL type name alone. */
  public static Column of(String name, String dataType) {
    return new Column(name, dataType, ColumnType.ofSqlName(dataType));
  }
}
