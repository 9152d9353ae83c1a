package dev.rowcast.edge;

/** HTTP can't be served at an address; the message names it and says why, in one line. */
public final class CannotListenException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  CannotListenException(String host, int port, Throwable cause) {
    super("port " + port + " on " + host + " can't be had: " + reason(cause), cause);
  }

  private static String reason(Throwable thrown) {
    Throwable cause = thrown;
    while (cause.getCause() != null) {
      cause = cause.getCause();
    }
    return cause.getMessage() == null ? cause.getClass().getSimpleName() : cause.getMessage();
  }
}
