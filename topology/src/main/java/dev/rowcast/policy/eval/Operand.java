package dev.rowcast.policy.eval;

import org.jspecify.annotations.Nullable;

/** A compiled expression. Immutable, thread-safe. */
interface Operand {

  /**
   * Its value; null for SQL NULL.
   *
   * @throws dev.rowcast.policy.value.ValueException where PostgreSQL would raise
   */
  @Nullable Object of(Rows rows);
}
