package dev.rowcast.policy.sql;

/** A predicate that isn't taken: where, what is there, and what is expected in its place. */
public final class RefusedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final int at;
  private final String found;
  private final String expected;

  RefusedException(int at, String found, String expected) {
    super("at character " + (at + 1) + ": " + found + " (expected: " + expected + ")");
    this.at = at;
    this.found = found;
    this.expected = expected;
  }

  /** Where in the predicate: characters from 0. */
  public int at() {
    return at;
  }

  public String found() {
    return found;
  }

  public String expected() {
    return expected;
  }
}
