package dev.rowcast.policy.value;

/**
 * What is done with texts, character by character (code points), as under PostgreSQL's {@code
 * C.UTF-8}. Stateless; thread-safe.
 */
public final class Text {
  private Text() {}

  /** Each character's lower-case form, one for one. */
  public static String lower(String text) {
    return text.codePoints()
        .map(Character::toLowerCase)
        .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
        .toString();
  }

  /** Each character's upper-case form, one for one. */
  public static String upper(String text) {
    return text.codePoints()
        .map(Character::toUpperCase)
        .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
        .toString();
  }

  /**
   * {@code LIKE}. Takes time in proportion to text times pattern at most.
   *
   * @param escape the escaping character; -1 for none
   * @throws ValueException where the pattern ends with the escaping character
   */
  public static boolean like(String text, String pattern, int escape) {
    int t = 0;
    int p = 0;
    int afterPercent = -1; // where to go on in the pattern once what followed % didn't match
    int tried = 0; // and in the text
    while (true) {
      if (p < pattern.length() && pattern.codePointAt(p) == '%' && escape != '%') {
        p++;
        afterPercent = p;
        tried = t;
        continue;
      }
      if (t == text.length()) {
        return restMatchesNothing(pattern, p, escape);
      }
      int next = p < pattern.length() ? step(text, t, pattern, p, escape) : -1;
      if (next >= 0) {
        p = next;
        t += Character.charCount(text.codePointAt(t));
      } else if (afterPercent >= 0) {
        p = afterPercent;
        tried += Character.charCount(text.codePointAt(tried));
        t = tried;
      } else {
        return false;
      }
    }
  }

  /** Where the pattern goes on after it matched the character at {@code t}; -1 where it didn't. */
  private static int step(String text, int t, String pattern, int p, int escape) {
    int wanted = pattern.codePointAt(p);
    int at = p + Character.charCount(wanted);
    if (wanted == escape) {
      if (at == pattern.length()) {
        throw new ValueException("LIKE pattern must not end with escape character");
      }
      wanted = pattern.codePointAt(at);
      at += Character.charCount(wanted);
    } else if (wanted == '_') {
      return at;
    }
    return wanted == text.codePointAt(t) ? at : -1;
  }

  private static boolean restMatchesNothing(String pattern, int from, int escape) {
    int p = from;
    while (p < pattern.length() && pattern.codePointAt(p) == '%' && escape != '%') {
      p++;
    }
    if (p < pattern.length()
        && pattern.codePointAt(p) == escape
        && p + Character.charCount(escape) == pattern.length()) {
      throw new ValueException("LIKE pattern must not end with escape character");
    }
    return p == pattern.length();
  }

  /**
   * The escaping character that {@code ESCAPE} names; -1 for none.
   *
   * @throws ValueException where it is more than one character
   */
  public static int escape(String text) {
    if (text.isEmpty()) {
      return -1;
    }
    if (text.codePointCount(0, text.length()) > 1) {
      throw new ValueException("invalid escape string");
    }
    return text.codePointAt(0);
  }
}
