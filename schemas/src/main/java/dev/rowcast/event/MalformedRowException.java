package dev.rowcast.event;

/** What a source delivered is not a row that can be told; the message says what was expected. */
public final class MalformedRowException extends Exception {
  private static final long serialVersionUID = 1L;

  public MalformedRowException(String message) {
    super(message);
  }

  public MalformedRowException(String message, Throwable cause) {
    super(message, cause);
  }
}
