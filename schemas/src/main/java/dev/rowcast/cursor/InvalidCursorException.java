package dev.rowcast.cursor;

/** A text that was given as a cursor and isn't one. */
public final class InvalidCursorException extends Exception {
  private static final long serialVersionUID = 1L;

  InvalidCursorException(String text) {
    super(message(text));
  }

  InvalidCursorException(String text, Throwable cause) {
    super(message(text), cause);
  }

  private static String message(String text) {
    String shown = text.length() > 40 ? text.substring(0, 40) + "…" : text;
    return "cursor: '" + shown + "' (expected: " + Cursor.EXPECTED + ")";
  }
}
