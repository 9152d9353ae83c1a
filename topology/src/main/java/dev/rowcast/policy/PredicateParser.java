package dev.rowcast.policy;

import dev.rowcast.policy.Predicate.Always;
import dev.rowcast.policy.Predicate.Claim;
import dev.rowcast.policy.Predicate.Equals;
import dev.rowcast.policy.Predicate.Literal;
import dev.rowcast.policy.Predicate.Operand;
import dev.rowcast.policy.Predicate.Setting;
import java.math.BigDecimal;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads the predicates that this version takes: one equality between a column and a claim, a
 * setting or a literal, or a constant. Names without quotes are folded to lower case, as PostgreSQL
 * does. Anything else is refused, so that no rule is ever half understood. One per predicate.
 */
final class PredicateParser {
  static final String ACCEPTED =
      "column = :claim, column = current_setting('name'), column = 'text', column = number,"
          + " column = true, column = false, true or false";

  private static final Pattern TOKEN =
      Pattern.compile(
          "\\s*(?:(?<name>[A-Za-z_\\x80-\\uffff][A-Za-z0-9_$\\x80-\\uffff]*)"
              + "|\"(?<quoted>(?:[^\"]|\"\")+)\""
              + "|:(?<claim>[A-Za-z_][A-Za-z0-9_]*)(?![A-Za-z0-9_:.])"
              + "|'(?<text>(?:[^']|'')*)'"
              + "|(?<number>[+-]?(?:[0-9]+(?:\\.[0-9]*)?|\\.[0-9]+)(?:[eE][+-]?[0-9]{1,4})?)"
              + "(?![A-Za-z0-9_.])"
              + "|(?<sign>[=(),]))");

  private final String table;
  private final String role;
  private final String sql;
  private final Matcher token;
  private int at;

  private PredicateParser(String table, String role, String sql) {
    this.table = table;
    this.role = role;
    this.sql = sql;
    this.token = TOKEN.matcher(sql);
  }

  /**
   * @throws InvalidRuleException for what isn't accepted
   */
  static Predicate parse(String table, String role, String sql) {
    PredicateParser parser = new PredicateParser(table, role, sql);
    Predicate predicate = parser.predicate();
    parser.end();
    return predicate;
  }

  private Predicate predicate() {
    int start = at;
    Side left = side();
    if (atEnd()) {
      if (left.operand() instanceof Literal literal
          && literal.scalar() instanceof Scalar.Bool constant) {
        return new Always(constant.value());
      }
      throw refused(start, "not a comparison");
    }
    sign("=");
    Side right = side();
    if (left.column() != null && right.operand() != null) {
      return new Equals(left.column(), right.operand());
    }
    if (right.column() != null && left.operand() != null) {
      return new Equals(right.column(), left.operand());
    }
    throw refused(start, "not a comparison between a column and a value");
  }

  /** One side of an equality: exactly one of both is there. */
  private record Side(@Nullable String column, @Nullable Operand operand) {}

  private Side side() {
    int start = at;
    next();
    if (token.group("quoted") != null) {
      return new Side(token.group("quoted").replace("\"\"", "\""), null);
    }
    if (token.group("claim") != null) {
      return new Side(null, new Claim(token.group("claim")));
    }
    if (token.group("text") != null) {
      return new Side(null, new Literal(new Scalar.Text(text())));
    }
    if (token.group("number") != null) {
      BigDecimal number = new BigDecimal(token.group("number"));
      return new Side(null, new Literal(new Scalar.Numeric(number)));
    }
    if (token.group("name") == null) {
      throw refused(start, "'" + token.group("sign") + "'");
    }
    String name = token.group("name").toLowerCase(Locale.ROOT);
    return switch (name) {
      case "true", "false" ->
          new Side(null, new Literal(new Scalar.Bool(Boolean.parseBoolean(name))));
      case "current_setting" -> new Side(null, setting());
      case "null", "not", "and", "or", "exists", "is", "in", "like", "between", "case", "select" ->
          throw refused(start, "'" + name + "'");
      default -> new Side(name, null);
    };
  }

  /** {@code ('name')} or {@code ('name', true)}: a missing setting hides the row either way. */
  private Operand setting() {
    sign("(");
    int start = at;
    next();
    if (token.group("text") == null) {
      throw refused(start, "current_setting without the name of a setting in quotes");
    }
    String name = text();
    if (peek(",")) {
      sign(",");
      start = at;
      next();
      String missingOk = token.group("name");
      if (missingOk == null || !missingOk.toLowerCase(Locale.ROOT).matches("true|false")) {
        throw refused(start, "current_setting whose second argument isn't true or false");
      }
    }
    sign(")");
    return Setting.of(name);
  }

  private String text() {
    return token.group("text").replace("''", "'");
  }

  private void sign(String sign) {
    int start = at;
    next();
    if (!sign.equals(token.group("sign"))) {
      throw refused(start, "no '" + sign + "' here");
    }
  }

  private boolean peek(String sign) {
    return token.region(at, sql.length()).lookingAt() && sign.equals(token.group("sign"));
  }

  private void next() {
    if (!token.region(at, sql.length()).lookingAt()) {
      throw refused(at, atEnd() ? "it ends too early" : "not understood");
    }
    at = token.end();
  }

  private boolean atEnd() {
    return sql.substring(at).isBlank();
  }

  private void end() {
    if (!atEnd()) {
      throw refused(at, "more than one comparison");
    }
  }

  private InvalidRuleException refused(int start, String found) {
    int position = start;
    while (position < sql.length() && Character.isWhitespace(sql.charAt(position))) {
      position++;
    }
    return InvalidRuleException.predicate(table, role, position + 1, found, ACCEPTED);
  }
}
