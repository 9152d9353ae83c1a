package dev.rowcast.policy;

/**
 * A rule that this version doesn't take. The message names all that is needed to mend it; the parts
 * are there for whoever knows the line in the file.
 */
public final class InvalidRuleException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  private final String table;
  private final String subject;
  private final int position;
  private final String problem;
  private final String expected;

  private InvalidRuleException(
      String message, String table, String subject, int position, String expected) {
    super(message + " (expected: " + expected + ")");
    this.table = table;
    this.subject = subject;
    this.position = position;
    this.problem = message;
    this.expected = expected;
  }

  static InvalidRuleException predicate(
      String table, String role, int position, String found, String expected) {
    String message =
        "rule of table '%s' for role '%s', at character %d: %s"
            .formatted(table, role, position, found);
    return new InvalidRuleException(message, table, role, position, expected);
  }

  static InvalidRuleException mask(String table, String column, String found, String expected) {
    String message = "mask of table '%s', column '%s': %s".formatted(table, column, found);
    return new InvalidRuleException(message, table, column, 1, expected);
  }

  /** The table's id in the configuration. */
  public String table() {
    return table;
  }

  /** The role's id; for a mask, the column's name. */
  public String subject() {
    return subject;
  }

  /** Where in the predicate the fault is: characters from 1. */
  public int position() {
    return position;
  }

  /** What is wrong, where: the message without what was expected. */
  public String problem() {
    return problem;
  }

  public String expected() {
    return expected;
  }
}
