package dev.rowcast.cursor;

import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Where a reader wants to go on, as it says so: contract, "Cursors". Says nothing about whether
 * that position still exists; the log decides that.
 */
public sealed interface Cursor {

  /** The oldest event that is retained. */
  record Earliest() implements Cursor {}

  /** Whatever comes next. */
  record Latest() implements Cursor {}

  /**
   * After the event with this id.
   *
   * @param id the id of the last event seen, {@code >= 0}; 0 is before the first ever
   * @param epoch the incarnation of the outbox that the id belongs to; null where the reader gave a
   *     bare number
   */
  record At(long id, @Nullable String epoch) implements Cursor {
    public At {
      if (id < 0) {
        throw new IllegalArgumentException("id: " + id + " (expected: >= 0)");
      }
    }

    /** The form that {@link Cursor#parse} reads back. */
    @Override
    public String toString() {
      return epoch == null ? Long.toString(id) : id + "." + epoch;
    }
  }

  /** The most characters that a cursor may have. */
  int MAX_LENGTH = 128;

  /** What a cursor must look like, for messages. */
  String EXPECTED =
      "a decimal event id, optionally followed by '.' and an epoch, or earliest, or latest";

  Pattern FORM = Pattern.compile("([0-9]{1,19})(?:\\.([A-Za-z0-9._~-]+))?");

  /**
   * Reads what a client sent.
   *
   * @throws InvalidCursorException if it isn't a cursor: never to be read as "live"
   */
  static Cursor parse(String text) throws InvalidCursorException {
    if (text.equals("earliest")) {
      return new Earliest();
    }
    if (text.equals("latest")) {
      return new Latest();
    }
    var form = FORM.matcher(text);
    if (text.length() > MAX_LENGTH || !form.matches()) {
      throw new InvalidCursorException(text);
    }
    try {
      return new At(Long.parseLong(form.group(1)), form.group(2));
    } catch (NumberFormatException e) {
      throw new InvalidCursorException(text, e);
    }
  }
}
