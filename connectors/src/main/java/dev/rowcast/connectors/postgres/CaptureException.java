package dev.rowcast.connectors.postgres;

import dev.rowcast.problem.ProblemType;

/**
 * A table or a database can't be captured as it stands; trying again without a change won't help.
 * The message names the table and says what was expected.
 */
final class CaptureException extends Exception {
  private static final long serialVersionUID = 1L;

  private final ProblemType type;

  CaptureException(ProblemType type, String message) {
    super(message);
    this.type = type;
  }

  ProblemType type() {
    return type;
  }

  /** The kind and the message, so that a client of Connect's REST interface can tell them apart. */
  String tagged() {
    return type.type() + ": " + getMessage();
  }
}
