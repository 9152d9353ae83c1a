package dev.rowcast.policy.sql;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What a predicate reads, as far as its text alone tells.
 *
 * @param claims the paths of claims, those that a setting may stand for included
 * @param tables the tables that it looks rows up in
 * @param columns the names of all columns that stand in it
 */
public record SyntaxSurvey(List<String> claims, List<From> tables, Set<String> columns) {

  /**
   * A table that a {@code FROM} names.
   *
   * @param schema null where it doesn't say
   */
  public record From(@Nullable String schema, String table) {}

  public static SyntaxSurvey of(Syntax predicate) {
    Set<String> claims = new TreeSet<>();
    Set<String> columns = new TreeSet<>();
    List<From> tables = new ArrayList<>();
    visit(predicate, claims, columns, tables);
    return new SyntaxSurvey(List.copyOf(claims), List.copyOf(tables), columns);
  }

  private static void visit(
      Syntax node, Set<String> claims, Set<String> columns, List<From> tables) {
    if (node instanceof Syntax.Claim claim) {
      claims.add(claim.path());
    } else if (node instanceof Syntax.Column column) {
      columns.add(column.name());
    } else if (node instanceof Syntax.Call call
        && call.name().equals("current_setting")
        && !call.arguments().isEmpty()
        && call.arguments().get(0) instanceof Syntax.Text name) {
      claims.addAll(SettingNames.of(name.value()));
    } else if (node instanceof Syntax.Exists exists) {
      tables.add(new From(exists.select().schema(), exists.select().table()));
    } else if (node instanceof Syntax.InSelect in) {
      tables.add(new From(in.select().schema(), in.select().table()));
    }
    node.parts().forEach(part -> visit(part, claims, columns, tables));
  }
}
