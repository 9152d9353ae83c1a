package dev.rowcast.policy.eval;

import dev.rowcast.event.JsonObject;
import java.util.List;
import java.util.function.Predicate;

/**
 * Rows of a table by the values of columns, as they are at the event that is judged. Thread-safe.
 */
public interface RowIndex {

  /**
   * Whether one of the rows with these values is such.
   *
   * @param key what {@link CellKey} makes of each column's value, in order; never null
   * @throws dev.rowcast.policy.value.ValueException where the rows aren't known, or from {@code
   *     such}
   */
  boolean any(List<Object> key, Predicate<JsonObject> such);
}
