package dev.rowcast.policy.sql;

import dev.rowcast.policy.sql.Token.Kind;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads the name of a type: {@code numeric(10,2)}, {@code timestamp with time zone}, {@code int[]}.
 */
final class TypeNameParser {
  private static final int MAX_LIMIT = 10_485_760; // of varchar(n), in PostgreSQL

  private final Tokens tokens;

  TypeNameParser(Tokens tokens) {
    this.tokens = tokens;
  }

  /** A type's name, and how it begins. */
  record Named(String name, Syntax.TypeName typeName) {}

  Named read() {
    Token first = tokens.peek();
    if (first.kind() != Kind.NAME) {
      throw tokens.unexpected("a type");
    }
    tokens.next();
    StringBuilder name = new StringBuilder(first.text());
    if (first.isWord("double") && tokens.acceptWord("precision")) {
      name.append(" precision");
    } else if (first.isWord("character") && tokens.acceptWord("varying")) {
      name.append(" varying");
    }
    List<Integer> limits = limits();
    if (first.isWord("timestamp") || first.isWord("time")) {
      boolean with = tokens.acceptWord("with");
      if (with || tokens.acceptWord("without")) {
        tokens.expectWord("time");
        tokens.expectWord("zone");
        name.append(with ? " with time zone" : " without time zone");
      }
    }
    boolean array = false;
    while (tokens.accept("[")) {
      tokens.expect("]");
      array = true;
    }
    return new Named(first.text(), new Syntax.TypeName(name.toString(), limits, array, first.at()));
  }

  private List<Integer> limits() {
    List<Integer> limits = new ArrayList<>();
    if (!tokens.accept("(")) {
      return limits;
    }
    do {
      Token number = tokens.peek();
      if (number.kind() != Kind.NUMBER || !number.text().matches("[0-9]{1,8}")) {
        throw tokens.unexpected("a length or a precision");
      }
      tokens.next();
      limits.add(Math.min(MAX_LIMIT, Integer.parseInt(number.text())));
    } while (tokens.accept(","));
    tokens.expect(")");
    return limits;
  }
}
