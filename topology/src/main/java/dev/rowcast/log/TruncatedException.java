package dev.rowcast.log;

/** A position is no longer retained: what comes after it is gone in part. */
public final class TruncatedException extends Exception {
  private static final long serialVersionUID = 1L;

  public TruncatedException(long position) {
    super("position " + position + ": no longer retained");
  }
}
