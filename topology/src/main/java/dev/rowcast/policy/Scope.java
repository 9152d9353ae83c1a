package dev.rowcast.policy;

import dev.rowcast.event.TableId;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a credential may see at most, whatever its role may.
 *
 * @param tables the tables; null for no limit
 * @param fields by table, the columns; a table that isn't a key here has no limit of its own
 */
public record Scope(@Nullable Set<TableId> tables, Map<TableId, Set<String>> fields) {
  /** No limit. */
  public static final Scope ALL = new Scope(null, Map.of());

  public Scope {
    tables = tables == null ? null : Set.copyOf(tables);
    fields = Map.copyOf(fields);
  }

  /** Whether a table is within the scope. */
  public boolean admits(TableId table) {
    return tables == null || tables.contains(table);
  }

  /** Whether the credential shows only some columns: then it doesn't get {@code actor} either. */
  public boolean restrictsFields() {
    return !fields.isEmpty();
  }
}
