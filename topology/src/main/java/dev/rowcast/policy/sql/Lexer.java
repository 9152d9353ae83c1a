package dev.rowcast.policy.sql;

import dev.rowcast.policy.sql.Token.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** Cuts a predicate into words by PostgreSQL's rules. One per predicate. */
final class Lexer {
  /** The longest predicate that is read, in characters. */
  static final int MAX_LENGTH = 16_384;

  private static final String OPERATOR_CHARACTERS = "+-*/<>=~!@#%^&|`?";
  private static final Set<String> OPERATORS =
      Set.of("+", "-", "*", "/", "%", "=", "<>", "!=", "<", "<=", ">", ">=", "||", "->", "->>");

  private final String sql;
  private int at;

  private Lexer(String sql) {
    this.sql = sql;
  }

  /** The words, with {@link Kind#END} as the last. */
  static List<Token> tokens(String sql) {
    if (sql.length() > MAX_LENGTH) {
      throw new RefusedException(
          MAX_LENGTH, sql.length() + " characters", "at most " + MAX_LENGTH + " characters");
    }
    Lexer lexer = new Lexer(sql);
    List<Token> tokens = new ArrayList<>();
    Token token;
    do {
      token = lexer.next();
      tokens.add(token);
    } while (token.kind() != Kind.END);
    return tokens;
  }

  private Token next() {
    while (at < sql.length() && " \t\n\r\f\u000b".indexOf(sql.charAt(at)) >= 0) {
      at++;
    }
    int start = at;
    if (at == sql.length()) {
      return new Token(Kind.END, "", start, start);
    }
    char c = sql.charAt(at);
    if (isNameStart(c)) {
      String name = name();
      if (at < sql.length() && sql.charAt(at) == '\'' && name.matches("[EeBbXxNn]")) {
        throw new RefusedException(start, "a text with a prefix", "a text in plain quotes");
      }
      return token(Kind.NAME, name.toLowerCase(Locale.ROOT), start);
    }
    if (c == '"') {
      return token(Kind.QUOTED_NAME, quoted('"', "a name"), start);
    }
    if (c == '\'') {
      return token(Kind.STRING, quoted('\'', "a text"), start);
    }
    if (isDigit(c) || (c == '.' && at + 1 < sql.length() && isDigit(sql.charAt(at + 1)))) {
      return token(Kind.NUMBER, number(), start);
    }
    if (c == ':') {
      return colon(start);
    }
    if ("(),.[]".indexOf(c) >= 0) {
      at++;
      return token(Kind.OPERATOR, String.valueOf(c), start);
    }
    if (OPERATOR_CHARACTERS.indexOf(c) >= 0) {
      return operator(start);
    }
    throw new RefusedException(start, "'" + c + "'", "a predicate without it");
  }

  private Token token(Kind kind, String text, int start) {
    return new Token(kind, text, start, at);
  }

  private static boolean isNameStart(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c >= 0x80;
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }

  private String name() {
    int start = at;
    while (at < sql.length()
        && (isNameStart(sql.charAt(at)) || isDigit(sql.charAt(at)) || sql.charAt(at) == '$')) {
      at++;
    }
    return sql.substring(start, at);
  }

  private String quoted(char quote, String what) {
    int start = at++;
    StringBuilder text = new StringBuilder();
    while (true) {
      int end = sql.indexOf(quote, at);
      if (end < 0) {
        throw new RefusedException(start, what + " without an end", "a closing " + quote);
      }
      text.append(sql, at, end);
      at = end + 1;
      if (at == sql.length() || sql.charAt(at) != quote) {
        break;
      }
      text.append(quote);
      at++;
    }
    if (text.indexOf("\0") >= 0 || (quote == '"' && text.isEmpty())) {
      throw new RefusedException(start, "what can't be " + what, what);
    }
    return text.toString();
  }

  private String number() {
    int start = at;
    digits();
    if (at < sql.length() && sql.charAt(at) == '.') {
      at++;
      digits();
    }
    if (at < sql.length() && (sql.charAt(at) == 'e' || sql.charAt(at) == 'E')) {
      at++;
      if (at < sql.length() && (sql.charAt(at) == '+' || sql.charAt(at) == '-')) {
        at++;
      }
      int exponent = at;
      digits();
      if (at == exponent || at - exponent > 4) {
        throw new RefusedException(start, "a number with such an exponent", "a number");
      }
    }
    if (at < sql.length() && (isNameStart(sql.charAt(at)) || sql.charAt(at) == '.')) {
      throw new RefusedException(start, "trailing junk after a number", "a number");
    }
    return sql.substring(start, at);
  }

  private void digits() {
    while (at < sql.length() && isDigit(sql.charAt(at))) {
      at++;
    }
  }

  /** {@code ::}, or a claim's path such as {@code :app_metadata.tenant} or {@code :"x-id"}. */
  private Token colon(int start) {
    at++;
    if (at < sql.length() && sql.charAt(at) == ':') {
      at++;
      return token(Kind.OPERATOR, "::", start);
    }
    StringBuilder path = new StringBuilder(claimPart(start));
    while (at + 1 < sql.length()
        && sql.charAt(at) == '.'
        && (isNameStart(sql.charAt(at + 1)) || sql.charAt(at + 1) == '"')) {
      at++;
      path.append('.').append(claimPart(start));
    }
    return token(Kind.CLAIM, path.toString(), start);
  }

  private String claimPart(int start) {
    if (at < sql.length() && sql.charAt(at) == '"') {
      return quoted('"', "a claim's name");
    }
    if (at == sql.length() || !isNameStart(sql.charAt(at))) {
      throw new RefusedException(start, "':'", "a claim's name right after it");
    }
    return name();
  }

  /** The longest run of operator characters, less the signs of what follows it. */
  private Token operator(int start) {
    while (at < sql.length() && OPERATOR_CHARACTERS.indexOf(sql.charAt(at)) >= 0) {
      if (sql.startsWith("--", at) || sql.startsWith("/*", at)) {
        throw new RefusedException(at, "a comment", "a predicate without comments");
      }
      at++;
    }
    String run = sql.substring(start, at);
    boolean special = run.chars().anyMatch(c -> "~!@#%^&|`?".indexOf(c) >= 0);
    while (!special && run.length() > 1 && (run.endsWith("+") || run.endsWith("-"))) {
      run = run.substring(0, run.length() - 1);
    }
    at = start + run.length();
    if (!OPERATORS.contains(run)) {
      throw new RefusedException(
          start, "operator '" + run + "'", "one of = <> < <= > >= + - * / % || -> ->>");
    }
    return token(Kind.OPERATOR, run.equals("!=") ? "<>" : run, start);
  }
}
