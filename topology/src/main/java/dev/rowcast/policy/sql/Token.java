package dev.rowcast.policy.sql;

/**
 * A word of a predicate.
 *
 * @param kind what it is
 * @param text a name folded to lower case unless it was quoted, a string without its quotes, a
 *     claim's path, a number, an operator
 * @param at where it starts: characters from 0
 * @param end where it ends, exclusive
 */
record Token(Kind kind, String text, int at, int end) {

  /** The kinds of words. */
  enum Kind {
    NAME,
    QUOTED_NAME,
    STRING,
    NUMBER,
    CLAIM,
    OPERATOR,
    END
  }

  boolean is(String operator) {
    return kind == Kind.OPERATOR && text.equals(operator);
  }

  boolean isWord(String word) {
    return kind == Kind.NAME && text.equals(word);
  }

  /** For messages. */
  String shown() {
    return switch (kind) {
      case END -> "the end";
      case STRING -> "a text in quotes";
      case CLAIM -> "':" + text + "'";
      case QUOTED_NAME -> "\"" + text + "\"";
      case NAME, NUMBER, OPERATOR -> "'" + text + "'";
    };
  }
}
