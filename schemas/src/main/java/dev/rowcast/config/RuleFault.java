package dev.rowcast.config;

/**
 * A rule or a mask that can't be used.
 *
 * @param kind which of them
 * @param tableId the table's id in the file
 * @param subject the role of a rule, the column of a mask
 * @param problem what is wrong
 * @param expected what was expected instead
 */
public record RuleFault(
    Kind kind, String tableId, String subject, String problem, String expected) {
  /** What has the fault. */
  public enum Kind {
    RULE,
    MASK
  }
}
