package dev.rowcast.problem;

/** What a client sent, fit to be shown back in a message. Stateless; thread-safe. */
public final class Excerpt {
  private Excerpt() {}

  /**
   * The first {@code max} characters at most, with {@code …} where more followed. Control
   * characters and halves of surrogate pairs, which break log lines and UTF-8 writers, become
   * U+FFFD.
   */
  public static String of(String text, int max) {
    StringBuilder shown = new StringBuilder(Math.min(text.length(), max) + 1);
    int i = 0;
    while (i < text.length()) {
      int c = text.codePointAt(i);
      if (i + Character.charCount(c) > max) {
        return shown.append('…').toString();
      }
      boolean shownAsIs = !Character.isISOControl(c) && (c < 0xd800 || c > 0xdfff);
      shown.appendCodePoint(shownAsIs ? c : 0xfffd);
      i += Character.charCount(c);
    }
    return shown.toString();
  }
}
