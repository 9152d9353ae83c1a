package dev.rowcast.policy.oracle;

import dev.rowcast.event.Column;
import dev.rowcast.event.TableId;
import dev.rowcast.policy.sql.TableColumns;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * A drawn table {@code t}, and {@code m} that belongs to it.
 *
 * @param columns of {@code t}, {@code id} aside
 */
record Schema(List<Drawn> columns) implements TableColumns {
  static final TableId T = new TableId("public", "t");
  static final TableId M = new TableId("public", "m");
  private static final List<Kind> KINDS = List.of(Kind.values());
  static final List<Drawn> MEMBERS =
      List.of(
          new Drawn("u", Kind.TEXT, false),
          new Drawn("p", Kind.INTEGER, false),
          new Drawn("q", Kind.NUMERIC, false),
          new Drawn("on_", Kind.BOOLEAN, false));

  /** A column. */
  record Drawn(String name, Kind kind, boolean array) {
    String sqlType() {
      return kind.sqlName() + (array ? "[]" : "");
    }
  }

  /** The columns of a table. */
  List<Drawn> of(String table) {
    return table.equals("m") ? MEMBERS : columns;
  }

  static Schema draw(Random random) {
    List<Drawn> columns = new ArrayList<>();
    columns.add(new Drawn("p", Kind.INTEGER, false));
    int count = 4 + random.nextInt(6);
    for (int i = 0; i < count; i++) {
      Kind kind = KINDS.get(random.nextInt(KINDS.size()));
      boolean array = random.nextInt(6) == 0 && !kind.isJson() && kind != Kind.CHAR;
      columns.add(new Drawn("c" + i, kind, array));
    }
    columns.add(new Drawn("Mixed", Kind.TEXT, false));
    return new Schema(columns);
  }

  @Override
  public Optional<TableId> table(@Nullable String schema, String name) {
    return name.equals("m") ? Optional.of(M) : name.equals("t") ? Optional.of(T) : Optional.empty();
  }

  @Override
  public Known columns(TableId table) {
    List<Column> known = new ArrayList<>();
    known.add(Column.of("id", "integer"));
    for (Drawn drawn : table.equals(T) ? columns : MEMBERS) {
      known.add(Column.of(drawn.name(), drawn.sqlType()));
    }
    return new Known(known, true);
  }

  static String create(String table, List<Drawn> columns) {
    StringBuilder sql = new StringBuilder("CREATE TABLE " + table + " (id integer PRIMARY KEY");
    columns.forEach(
        column -> sql.append(", \"").append(column.name()).append("\" ").append(column.sqlType()));
    return sql.append(")").toString();
  }

  /** A row's values as SQL literals. */
  static String values(int id, List<Drawn> columns, Random random) {
    StringBuilder sql = new StringBuilder("(" + id);
    for (Drawn column : columns) {
      sql.append(", ").append(literal(column, random));
    }
    return sql.append(")").toString();
  }

  private static String literal(Drawn column, Random random) {
    if (random.nextInt(6) == 0) {
      return "NULL";
    }
    if (!column.array()) {
      return quoted(pick(column.kind().samples(), random)) + "::" + column.sqlType();
    }
    StringBuilder array = new StringBuilder("ARRAY[");
    int count = random.nextInt(4);
    for (int i = 0; i < count; i++) {
      array.append(i == 0 ? "" : ", ");
      array.append(random.nextInt(6) == 0 ? "NULL" : quoted(pick(column.kind().samples(), random)));
    }
    return array.append("]::").append(column.sqlType()).toString();
  }

  static String quoted(String text) {
    return "'" + text.replace("'", "''") + "'";
  }

  static <T> T pick(List<T> all, Random random) {
    return all.get(random.nextInt(all.size()));
  }
}
