package dev.rowcast.policy;

import dev.rowcast.event.TableId;
import java.util.Optional;

/**
 * All that somebody may see. Views are equal exactly when they show the same of every table and
 * every row, so that all who share one are served at the price of one. Immutable, thread-safe.
 */
public interface View {

  /** What is seen of a table; empty where it doesn't exist for this view. */
  Optional<TableAccess> access(TableId table);
}
