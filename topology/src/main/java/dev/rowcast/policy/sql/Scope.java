package dev.rowcast.policy.sql;

import dev.rowcast.event.Column;
import dev.rowcast.event.TableId;
import dev.rowcast.policy.value.SqlType;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where names are looked up: the row that is judged, and inside a SELECT its row first.
 *
 * @param level 0 outermost
 * @param name what the table is called here
 * @param table which it is
 * @param columns what is known of it
 * @param outer where to look next; null outermost
 */
record Scope(
    int level, String name, TableId table, TableColumns.Known columns, @Nullable Scope outer) {

  /** The column that a name means; of type {@link SqlType#UNSEEN} where it can't be told yet. */
  Expr.Column column(Syntax.Column named) {
    Scope scope = this;
    while (scope != null) {
      if (scope.isCalled(named.qualifier())) {
        Expr.Column column = scope.own(named);
        if (column != null) {
          return column;
        }
        if (!scope.columns.complete()) {
          return new Expr.Column(SqlType.UNSEEN, scope.level, named.name());
        }
        if (!named.qualifier().isEmpty()) {
          throw unknown(named, scope);
        }
      }
      scope = scope.outer;
    }
    throw unknown(named, this);
  }

  private Expr.@Nullable Column own(Syntax.Column named) {
    for (Column column : columns.columns()) {
      if (column.name().equals(named.name())) {
        return new Expr.Column(SqlType.of(column), level, column.name());
      }
    }
    return null;
  }

  private boolean isCalled(List<String> qualifier) {
    return switch (qualifier.size()) {
      case 0 -> true;
      case 1 -> qualifier.get(0).equals(name);
      default ->
          qualifier.equals(List.of(table.schema(), table.name())) && name.equals(table.name());
    };
  }

  private static RefusedException unknown(Syntax.Column named, Scope scope) {
    if (!named.qualifier().isEmpty() && !scope.isCalled(named.qualifier())) {
      return new RefusedException(
          named.at(), "table '" + String.join(".", named.qualifier()) + "'", scope.names());
    }
    return new RefusedException(
        named.at(),
        "column '" + named.name() + "'",
        "one of " + String.join(", ", scope.columns.columns().stream().map(Column::name).toList()));
  }

  private String names() {
    return outer == null ? "'" + name + "'" : "'" + name + "' or " + outer.names();
  }
}
