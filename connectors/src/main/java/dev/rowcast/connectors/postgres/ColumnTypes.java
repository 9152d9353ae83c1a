package dev.rowcast.connectors.postgres;

import dev.rowcast.event.Column;
import dev.rowcast.event.ColumnType;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Column types out of {@code pg_catalog}: domains down to their base types, arrays and row types to
 * their elements, because that is how deep {@code row_to_json} looks.
 */
final class ColumnTypes {
  private final Connection connection;

  ColumnTypes(Connection connection) {
    this.connection = connection;
  }

  /**
   * A column and what keys need to know of its type.
   *
   * @param notNull whether it is declared so
   * @param builtin whether its base type is PostgreSQL's own
   * @param typeName of the base type, as SQL text
   * @param equalitySchema where the {@code =} of its default ordering is, as SQL text; null for
   *     none
   */
  record CatalogColumn(
      Column column,
      boolean notNull,
      boolean builtin,
      String typeName,
      @Nullable String equalitySchema) {}

  /** The columns of a relation or of a row type, in order. */
  List<CatalogColumn> columns(long relation) throws SQLException {
    List<CatalogColumn> columns = new ArrayList<>();
    try (PreparedStatement statement = connection.prepareStatement(Sql.COLUMNS)) {
      statement.setLong(1, relation);
      try (ResultSet row = statement.executeQuery()) {
        while (row.next()) {
          Type type = base(row.getLong(2), row.getInt(3));
          columns.add(
              new CatalogColumn(
                  new Column(row.getString(1), type.name, meaning(type)),
                  row.getBoolean(4),
                  type.builtin || type.kind.equals("e"),
                  type.name,
                  type.equalitySchema));
        }
      }
    }
    return columns;
  }

  private record Type(
      String kind,
      long base,
      int baseModifier,
      String category,
      long element,
      long relation,
      boolean builtin,
      String name,
      @Nullable String equalitySchema) {}

  private Type base(long oid, int modifier) throws SQLException {
    Type type = type(oid, modifier);
    return type.kind.equals("d")
        ? base(type.base, modifier == -1 ? type.baseModifier : modifier)
        : type;
  }

  private Type type(long oid, int modifier) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(Sql.TYPE)) {
      statement.setInt(1, modifier);
      statement.setLong(2, oid);
      try (ResultSet row = statement.executeQuery()) {
        if (!row.next()) {
          throw new SQLException("type " + oid + " is gone (expected: in pg_type)", "42704");
        }
        return new Type(
            row.getString(1),
            row.getLong(2),
            row.getInt(3),
            row.getString(4),
            row.getLong(5),
            row.getLong(6),
            row.getBoolean(7),
            row.getString(8),
            row.getString(9));
      }
    }
  }

  private ColumnType meaning(Type type) throws SQLException {
    if (type.category.equals("A") && type.element != 0) {
      return new ColumnType.Array(meaning(base(type.element, -1)));
    }
    if (type.kind.equals("c")) {
      List<Column> fields = new ArrayList<>();
      for (CatalogColumn field : columns(type.relation)) {
        fields.add(field.column());
      }
      return new ColumnType.Composite(fields);
    }
    return type.builtin ? ColumnType.ofSqlName(type.name) : ColumnType.Scalar.OTHER;
  }
}
