package dev.rowcast.policy.eval;

import dev.rowcast.event.TableId;
import dev.rowcast.policy.value.SqlType;
import java.util.List;

/**
 * How rows of a table are to be found: by the values of columns.
 *
 * @param by empty for all rows
 */
public record IndexSpec(TableId table, List<KeyColumn> by) {
  public IndexSpec {
    by = List.copyOf(by);
  }

  /**
   * A column and the type as which it is compared.
   *
   * @param column its name
   * @param type its type
   * @param on the type that it is cast to
   */
  public record KeyColumn(String column, SqlType type, SqlType.Base on) {}
}
