package dev.rowcast.cursor;

import dev.rowcast.problem.Excerpt;

/**
 * A text that was given as a cursor and isn't one; whoever shows the message says where it stood.
 */
public final class InvalidCursorException extends Exception {
  private static final long serialVersionUID = 1L;

  InvalidCursorException(String text) {
    super(message(text));
  }

  InvalidCursorException(String text, Throwable cause) {
    super(message(text), cause);
  }

  private static String message(String text) {
    return "'" + Excerpt.of(text, 40) + "' (expected: " + Cursor.EXPECTED + ")";
  }
}
