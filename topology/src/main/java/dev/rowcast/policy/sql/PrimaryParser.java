package dev.rowcast.policy.sql;

import dev.rowcast.policy.sql.Token.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads what stands between operators. Belongs to its {@link Parser}. */
final class PrimaryParser {
  /** How many values a list may have. */
  static final int MAX_LIST = 1_000;

  private static final Set<String> RESERVED =
      Set.of(
          "all",
          "and",
          "any",
          "array",
          "as",
          "asc",
          "between",
          "case",
          "cast",
          "collate",
          "cross",
          "current_date",
          "current_time",
          "current_timestamp",
          "current_user",
          "desc",
          "distinct",
          "else",
          "end",
          "escape",
          "except",
          "exists",
          "false",
          "fetch",
          "for",
          "from",
          "full",
          "group",
          "having",
          "ilike",
          "in",
          "inner",
          "intersect",
          "is",
          "isnull",
          "join",
          "left",
          "like",
          "limit",
          "localtime",
          "localtimestamp",
          "natural",
          "not",
          "notnull",
          "null",
          "offset",
          "on",
          "or",
          "order",
          "outer",
          "right",
          "row",
          "select",
          "session_user",
          "similar",
          "some",
          "symmetric",
          "then",
          "true",
          "union",
          "user",
          "when",
          "where",
          "window",
          "with");

  private final Tokens tokens;
  private final Parser parser;

  PrimaryParser(Tokens tokens, Parser parser) {
    this.tokens = tokens;
    this.parser = parser;
  }

  Syntax primary(String expected) {
    Token token = tokens.peek();
    return switch (token.kind()) {
      case STRING -> {
        tokens.next();
        yield new Syntax.Text(token.text(), token.at());
      }
      case NUMBER -> {
        tokens.next();
        yield new Syntax.NumberLiteral(token.text(), token.at());
      }
      case CLAIM -> {
        tokens.next();
        yield new Syntax.Claim(token.text(), token.at());
      }
      case NAME -> word(token, expected);
      case QUOTED_NAME -> column();
      case OPERATOR -> {
        if (!tokens.accept("(")) {
          throw tokens.unexpected(expected);
        }
        if (tokens.peek().isWord("select")) {
          throw tokens.unexpected("EXISTS or IN before a SELECT");
        }
        Syntax inside = parser.expression();
        tokens.expect(")");
        yield inside;
      }
      case END -> throw tokens.unexpected(expected);
    };
  }

  private Syntax word(Token token, String expected) {
    switch (token.text()) {
      case "true", "false" -> {
        tokens.next();
        return new Syntax.Bool(token.text().equals("true"), token.at());
      }
      case "null" -> {
        tokens.next();
        return new Syntax.Null(token.at());
      }
      case "case" -> {
        return caseOf();
      }
      case "cast" -> {
        return cast();
      }
      case "exists" -> {
        return exists();
      }
      case "array" -> {
        return array();
      }
      case "current_timestamp", "current_date" -> {
        tokens.next();
        return new Syntax.Moment(
            Syntax.Moment.Word.valueOf(token.text().toUpperCase(Locale.ROOT)), token.at());
      }
      default -> {
        if (RESERVED.contains(token.text())) {
          throw tokens.unexpected(expected);
        }
      }
    }
    Syntax literal = typedLiteral();
    if (literal != null) {
      return literal;
    }
    return tokens.peekSecond().is("(") ? call() : column();
  }

  /** {@code date '2026-11-30'}, {@code interval '1' day}; null where it isn't one. */
  private @Nullable Syntax typedLiteral() {
    Token name = tokens.peek();
    if (tokens.peekSecond().kind() != Kind.STRING) {
      boolean twoWords =
          (name.isWord("double") && tokens.peekSecond().isWord("precision"))
              || ((name.isWord("timestamp") || name.isWord("time"))
                  && (tokens.peekSecond().isWord("with") || tokens.peekSecond().isWord("without")));
      if (!twoWords) {
        return null;
      }
    }
    TypeNameParser.Named type = new TypeNameParser(tokens).read();
    Token text = tokens.peek();
    if (text.kind() != Kind.STRING) {
      throw tokens.unexpected("a text in quotes");
    }
    tokens.next();
    String value = text.text();
    Token unit = tokens.peek();
    if (type.name().equals("interval")
        && unit.kind() == Kind.NAME
        && Set.of("year", "month", "day", "hour", "minute", "second").contains(unit.text())) {
      tokens.next();
      value = value + " " + unit.text();
    }
    return new Syntax.Cast(new Syntax.Text(value, text.at()), type.typeName(), name.at());
  }

  private Syntax call() {
    Token name = tokens.next();
    tokens.expect("(");
    List<Syntax> arguments = tokens.peek().is(")") ? List.of() : list();
    tokens.expect(")");
    return new Syntax.Call(name.text(), arguments, name.at());
  }

  private Syntax column() {
    Token first = tokens.peek();
    List<String> names = new ArrayList<>();
    names.add(name("a column"));
    while (tokens.accept(".")) {
      names.add(name("a name after the dot"));
    }
    if (tokens.peek().is("(") || names.size() > 3) {
      throw new RefusedException(
          first.at(), "'" + String.join(".", names) + "'", "a column or a function's plain name");
    }
    String column = names.remove(names.size() - 1);
    return new Syntax.Column(names, column, first.at());
  }

  private String name(String expected) {
    Token token = tokens.peek();
    boolean reserved = token.kind() == Kind.NAME && RESERVED.contains(token.text());
    if (reserved || (token.kind() != Kind.NAME && token.kind() != Kind.QUOTED_NAME)) {
      throw tokens.unexpected(expected);
    }
    tokens.next();
    return token.text();
  }

  List<Syntax> list() {
    List<Syntax> list = new ArrayList<>();
    do {
      if (list.size() == MAX_LIST) {
        throw tokens.unexpected("at most " + MAX_LIST + " values");
      }
      list.add(parser.expression());
    } while (tokens.accept(","));
    return list;
  }

  private Syntax array() {
    Token word = tokens.next();
    tokens.expect("[");
    List<Syntax> elements = tokens.peek().is("]") ? List.of() : list();
    tokens.expect("]");
    return new Syntax.Array(elements, word.at());
  }

  private Syntax caseOf() {
    Token word = tokens.next();
    Syntax operand = tokens.peek().isWord("when") ? null : parser.expression();
    List<Syntax.Branch> branches = new ArrayList<>();
    while (tokens.acceptWord("when")) {
      Syntax condition = parser.expression();
      tokens.expectWord("then");
      branches.add(new Syntax.Branch(condition, parser.expression()));
      if (branches.size() > MAX_LIST) {
        throw tokens.unexpected("at most " + MAX_LIST + " branches");
      }
    }
    if (branches.isEmpty()) {
      throw tokens.unexpected("WHEN");
    }
    Syntax otherwise = tokens.acceptWord("else") ? parser.expression() : null;
    tokens.expectWord("end");
    return new Syntax.Case(operand, branches, otherwise, word.at());
  }

  private Syntax cast() {
    Token word = tokens.next();
    tokens.expect("(");
    Syntax operand = parser.expression();
    tokens.expectWord("as");
    Syntax.TypeName type = typeName();
    tokens.expect(")");
    return new Syntax.Cast(operand, type, word.at());
  }

  Syntax.TypeName typeName() {
    return new TypeNameParser(tokens).read().typeName();
  }

  private Syntax exists() {
    Token word = tokens.next();
    tokens.expect("(");
    if (!tokens.peek().isWord("select")) {
      throw tokens.unexpected("SELECT");
    }
    Syntax.Select select = select();
    tokens.expect(")");
    return new Syntax.Exists(select, word.at());
  }

  /** {@code SELECT item FROM table [AS alias] [WHERE condition]}. */
  Syntax.Select select() {
    tokens.down();
    Token word = tokens.next();
    Syntax item = tokens.accept("*") ? null : parser.expression();
    if (tokens.peek().is(",")) {
      throw tokens.unexpected("one column only, then FROM");
    }
    tokens.expectWord("from");
    String table = name("a table");
    String schema = null;
    if (tokens.accept(".")) {
      schema = table;
      table = name("a table");
    }
    boolean as = tokens.acceptWord("as");
    Token next = tokens.peek();
    boolean named =
        as
            || next.kind() == Kind.QUOTED_NAME
            || (next.kind() == Kind.NAME && !RESERVED.contains(next.text()));
    String alias = named ? name("an alias") : table;
    Syntax where = tokens.acceptWord("where") ? parser.expression() : null;
    if (!tokens.peek().is(")")) {
      throw tokens.unexpected("one table, WHERE and ')': nest an EXISTS for another table");
    }
    tokens.up();
    return new Syntax.Select(item, schema, table, alias, where, word.at());
  }
}
