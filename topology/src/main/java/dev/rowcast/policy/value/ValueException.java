package dev.rowcast.policy.value;

/**
 * What PostgreSQL raises where it can't compute a value: a division by zero, a text that isn't a
 * number. Thrown by the thousand where a rule doesn't fit its rows, hence without a stack trace;
 * its message never holds a value of a row.
 */
public final class ValueException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public ValueException(String message) {
    super(message, null, false, false);
  }
}
