package dev.rowcast.embedded;

import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * A server could not be started. The message says what was wrong and what was expected, names the
 * port or path concerned, and is meant to be shown to a user without a stack trace.
 */
public final class EmbeddedStartException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /**
   * @param message what was wrong and what was expected
   */
  public EmbeddedStartException(String message) {
    super(message);
  }

  /**
   * @param message what was wrong and what was expected
   * @param cause where it came from, for the log
   */
  public EmbeddedStartException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }

  /** What the exception and its causes say, outermost first: Kafka spreads the story over them. */
  static String story(Throwable e) {
    Set<String> messages = new LinkedHashSet<>();
    for (Throwable t = e; t != null; t = t.getCause()) {
      // these only repeat what is inside them
      if (!(t instanceof ExecutionException) && !(t instanceof CompletionException)) {
        messages.add(t.getMessage() == null ? t.toString() : t.getMessage());
      }
    }
    return String.join(": ", messages);
  }
}
