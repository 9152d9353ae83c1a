package dev.rowcast.policy.sql;

import dev.rowcast.policy.sql.Token.Kind;
import java.util.List;
import java.util.Locale;

/** A place in the words of a predicate, and how deep it is nested there. One per predicate. */
final class Tokens {
  /** How deep expressions may be nested. */
  static final int MAX_DEPTH = 64;

  private final List<Token> tokens;
  private int at;
  private int depth;

  Tokens(String sql) {
    this.tokens = Lexer.tokens(sql);
  }

  Token peek() {
    return tokens.get(at);
  }

  /** The word after the next one. */
  Token peekSecond() {
    return tokens.get(Math.min(at + 1, tokens.size() - 1));
  }

  Token next() {
    Token token = tokens.get(at);
    if (token.kind() != Kind.END) {
      at++;
    }
    return token;
  }

  /** Where the word before the next one ends: characters from 0, exclusive. */
  int lastEnd() {
    return at == 0 ? 0 : tokens.get(at - 1).end();
  }

  /** Takes an operator where it is next. */
  boolean accept(String operator) {
    boolean there = peek().is(operator);
    at += there ? 1 : 0;
    return there;
  }

  /** Takes a word where it is next. */
  boolean acceptWord(String word) {
    boolean there = peek().isWord(word);
    at += there ? 1 : 0;
    return there;
  }

  void expect(String operator) {
    if (!accept(operator)) {
      throw unexpected("'" + operator + "'");
    }
  }

  void expectWord(String word) {
    if (!acceptWord(word)) {
      throw unexpected(word.toUpperCase(Locale.ROOT));
    }
  }

  RefusedException unexpected(String expected) {
    return new RefusedException(peek().at(), peek().shown(), expected);
  }

  void down() {
    if (++depth > MAX_DEPTH) {
      throw new RefusedException(
          peek().at(), "nested deeper than " + MAX_DEPTH, "at most " + MAX_DEPTH + " levels");
    }
  }

  void up() {
    depth--;
  }
}
