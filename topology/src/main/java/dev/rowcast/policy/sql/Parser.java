package dev.rowcast.policy.sql;

import dev.rowcast.policy.sql.Token.Kind;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads a predicate by PostgreSQL's precedence, from loose to tight: {@code OR}, {@code AND},
 * {@code NOT}, {@code IS}, comparisons, {@code BETWEEN IN LIKE ILIKE}, other operators, {@code +
 * -}, {@code * / %}, a sign, {@code ::}. What compares doesn't chain. One per predicate.
 */
public final class Parser {
  private static final int OR = 1;
  private static final int AND = 2;
  private static final int NOT = 3;
  private static final int IS = 4;
  private static final int COMPARISON = 5;
  private static final int RANGE = 6;
  private static final int OTHER = 7;
  private static final int SUM = 8;
  private static final int PRODUCT = 9;
  private static final int SIGN = 10;
  private static final int CAST = 11;

  // operators in one chain, a + b + c + …: each is a level of evaluation
  private static final int MAX_CHAIN = 200;
  private static final Set<String> COMPARISONS = Set.of("=", "<>", "<", "<=", ">", ">=");
  private static final String EXPRESSION = "a column, a claim, a literal or an expression";

  private final String sql;
  private final Tokens tokens;
  private final PrimaryParser primaries;
  // by being the same node: equal ones may stand in two places
  private final IdentityHashMap<Syntax, String> texts = new IdentityHashMap<>();

  private Parser(String sql) {
    this.sql = sql;
    this.tokens = new Tokens(sql);
    this.primaries = new PrimaryParser(tokens, this);
  }

  /**
   * Reads a predicate.
   *
   * @throws RefusedException for what isn't taken
   */
  public static Syntax parse(String sql) {
    return parseWithTexts(sql).predicate();
  }

  /**
   * A predicate and how its parts were written.
   *
   * @param predicate the whole
   * @param texts by node, the text of each condition and expression as it stands in the predicate
   */
  public record Parsed(Syntax predicate, Map<Syntax, String> texts) {}

  /**
   * Reads a predicate and keeps the texts of its parts, for explanations.
   *
   * @throws RefusedException for what isn't taken
   */
  public static Parsed parseWithTexts(String sql) {
    Parser parser = new Parser(sql);
    Syntax predicate = parser.expression();
    if (parser.tokens.peek().kind() != Kind.END) {
      throw parser.tokens.unexpected("an operator or the end");
    }
    return new Parsed(predicate, Collections.unmodifiableMap(parser.texts));
  }

  Syntax expression() {
    return expression(OR);
  }

  /** Reads as far as operators of at least this precedence go. */
  private Syntax expression(int least) {
    tokens.down();
    int start = tokens.peek().at();
    Syntax left = noted(prefix(), start);
    int chain = 0;
    int last = CAST;
    while (true) {
      Token token = tokens.peek();
      int precedence = precedence(token);
      if (precedence < least) {
        break;
      }
      boolean chains =
          precedence == IS ? !isDistinct(left) : precedence != COMPARISON && precedence != RANGE;
      if (!chains && precedence == last) {
        throw tokens.unexpected("parentheses around one of two comparisons");
      }
      if (++chain > MAX_CHAIN) {
        throw tokens.unexpected("at most " + MAX_CHAIN + " operators in a row");
      }
      last = precedence;
      left = noted(infix(left, precedence), start);
    }
    tokens.up();
    return left;
  }

  private Syntax noted(Syntax syntax, int start) {
    texts.put(syntax, sql.substring(start, tokens.lastEnd()));
    return syntax;
  }

  private static boolean isDistinct(Syntax syntax) {
    return syntax instanceof Syntax.Distinct
        || (syntax instanceof Syntax.Not not && not.operand() instanceof Syntax.Distinct);
  }

  private static int precedence(Token token) {
    if (token.kind() == Kind.OPERATOR) {
      return switch (token.text()) {
        case "=", "<>", "<", "<=", ">", ">=" -> COMPARISON;
        case "||", "->", "->>" -> OTHER;
        case "+", "-" -> SUM;
        case "*", "/", "%" -> PRODUCT;
        case "::" -> CAST;
        default -> -1;
      };
    }
    if (token.kind() == Kind.NAME) {
      return switch (token.text()) {
        case "or" -> OR;
        case "and" -> AND;
        case "is", "isnull", "notnull" -> IS;
        case "between", "in", "like", "ilike", "not" -> RANGE;
        default -> -1;
      };
    }
    return -1;
  }

  private Syntax prefix() {
    Token token = tokens.peek();
    if (tokens.acceptWord("not")) {
      return new Syntax.Not(expression(NOT), token.at());
    }
    if (tokens.accept("+")) {
      return expression(SIGN);
    }
    if (tokens.accept("-")) {
      Syntax operand = expression(SIGN);
      return operand instanceof Syntax.NumberLiteral number && !number.digits().startsWith("-")
          ? new Syntax.NumberLiteral("-" + number.digits(), token.at())
          : new Syntax.Minus(operand, token.at());
    }
    return primaries.primary(EXPRESSION);
  }

  private Syntax infix(Syntax left, int precedence) {
    Token token = tokens.peek();
    return switch (precedence) {
      case OR, AND -> logical(left, token, precedence);
      case IS -> is(left);
      case RANGE -> range(left);
      case CAST -> {
        tokens.next();
        yield new Syntax.Cast(left, primaries.typeName(), token.at());
      }
      case COMPARISON -> comparison(left);
      default -> {
        tokens.next();
        yield new Syntax.Binary(token.text(), left, expression(precedence + 1), token.at());
      }
    };
  }

  private Syntax logical(Syntax left, Token word, int precedence) {
    List<Syntax> parts = new ArrayList<>();
    parts.add(left);
    String name = word.text();
    while (tokens.acceptWord(name)) {
      parts.add(expression(precedence + 1));
    }
    return new Syntax.Logical(precedence == AND, parts, left.at());
  }

  private Syntax comparison(Syntax left) {
    Token operator = tokens.next();
    Token word = tokens.peek();
    boolean all = word.isWord("all");
    if (!all && !word.isWord("any") && !word.isWord("some")) {
      return new Syntax.Binary(operator.text(), left, expression(COMPARISON + 1), operator.at());
    }
    tokens.next();
    tokens.expect("(");
    if (tokens.peek().isWord("select")) {
      boolean in = operator.is("=") && !all;
      boolean notIn = operator.is("<>") && all;
      if (!in && !notIn) {
        throw tokens.unexpected("an array; of rows there are = ANY and <> ALL only");
      }
      Syntax.InSelect rows = new Syntax.InSelect(left, primaries.select(), operator.at());
      tokens.expect(")");
      return notIn ? new Syntax.Not(rows, operator.at()) : rows;
    }
    Syntax array = expression();
    tokens.expect(")");
    return new Syntax.Quantified(operator.text(), all, left, array, operator.at());
  }

  private Syntax is(Syntax left) {
    Token word = tokens.next();
    if (!word.isWord("is")) {
      Syntax isNull = new Syntax.Is(left, Syntax.Is.What.NULL, word.at());
      return word.isWord("isnull") ? isNull : new Syntax.Not(isNull, word.at());
    }
    boolean not = tokens.acceptWord("not");
    Syntax is;
    if (tokens.acceptWord("distinct")) {
      tokens.expectWord("from");
      is = new Syntax.Distinct(left, expression(IS + 1), word.at());
    } else {
      is = new Syntax.Is(left, what(), word.at());
    }
    return not ? new Syntax.Not(is, word.at()) : is;
  }

  private Syntax.Is.What what() {
    Token token = tokens.peek();
    Syntax.Is.What what =
        switch (token.kind() == Kind.NAME ? token.text() : "") {
          case "null" -> Syntax.Is.What.NULL;
          case "true" -> Syntax.Is.What.TRUE;
          case "false" -> Syntax.Is.What.FALSE;
          case "unknown" -> Syntax.Is.What.UNKNOWN;
          default -> throw tokens.unexpected("NULL, TRUE, FALSE, UNKNOWN or DISTINCT FROM");
        };
    tokens.next();
    return what;
  }

  private Syntax range(Syntax left) {
    Token start = tokens.peek();
    boolean not = tokens.acceptWord("not");
    Token word = tokens.next();
    Syntax range =
        switch (word.kind() == Kind.NAME ? word.text() : "") {
          case "between" -> between(left, word);
          case "in" -> in(left, word);
          case "like" -> like(left, word, false);
          case "ilike" -> like(left, word, true);
          default ->
              throw new RefusedException(
                  word.at(), word.shown(), "BETWEEN, IN, LIKE or ILIKE after NOT");
        };
    return not ? new Syntax.Not(range, start.at()) : range;
  }

  private Syntax between(Syntax left, Token word) {
    Syntax low = expression(RANGE + 1);
    tokens.expectWord("and");
    return new Syntax.Between(left, low, expression(RANGE + 1), word.at());
  }

  private Syntax like(Syntax left, Token word, boolean ignoresCase) {
    Syntax pattern = expression(RANGE + 1);
    @Nullable Syntax escape = tokens.acceptWord("escape") ? expression(RANGE + 1) : null;
    return new Syntax.Like(left, pattern, escape, ignoresCase, word.at());
  }

  private Syntax in(Syntax left, Token word) {
    tokens.expect("(");
    Syntax in =
        tokens.peek().isWord("select")
            ? new Syntax.InSelect(left, primaries.select(), word.at())
            : new Syntax.In(left, primaries.list(), word.at());
    tokens.expect(")");
    return in;
  }

  /** Whether an operator compares. */
  static boolean isComparison(String operator) {
    return COMPARISONS.contains(operator);
  }
}
