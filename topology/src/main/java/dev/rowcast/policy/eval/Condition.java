package dev.rowcast.policy.eval;

/** A compiled condition, in three-valued logic. Immutable, thread-safe. */
interface Condition {
  int FALSE = 0;
  int TRUE = 1;
  int UNKNOWN = 2;

  /**
   * {@link #TRUE}, {@link #FALSE} or {@link #UNKNOWN}.
   *
   * @throws dev.rowcast.policy.value.ValueException where PostgreSQL would raise
   */
  int of(Rows rows);

  static int of(boolean truth) {
    return truth ? TRUE : FALSE;
  }

  static int not(int truth) {
    return truth == UNKNOWN ? UNKNOWN : 1 - truth;
  }
}
