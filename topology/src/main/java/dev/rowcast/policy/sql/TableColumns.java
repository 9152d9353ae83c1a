package dev.rowcast.policy.sql;

import dev.rowcast.event.Column;
import dev.rowcast.event.TableId;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What is known of tables while a predicate is read: out of the configuration, and of the catalog
 * once the table is captured. Thread-safe.
 */
public interface TableColumns {

  /**
   * The registered table that a {@code FROM} names.
   *
   * @param schema null where the predicate doesn't say
   */
  Optional<TableId> table(@Nullable String schema, String name);

  /** What is known of a registered table's columns now. */
  Known columns(TableId table);

  /**
   * Columns.
   *
   * @param columns those whose types are known
   * @param complete whether these are all: else there may be others, of any type
   */
  record Known(List<Column> columns, boolean complete) {
    /** Nothing. */
    public static final Known NOTHING = new Known(List.of(), false);

    public Known {
      columns = List.copyOf(columns);
    }
  }
}
