package dev.rowcast.policy.oracle;

import static dev.rowcast.policy.oracle.Schema.pick;
import static dev.rowcast.policy.oracle.Schema.quoted;

import dev.rowcast.policy.oracle.Schema.Drawn;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Draws predicates out of all that is allowed. Parentheses are left out now and then, so that
 * precedence counts; what then makes no sense, both have to refuse.
 */
final class Grammar {
  private static final List<Kind> NUMBERS =
      Stream.of(Kind.values()).filter(Kind::isNumber).toList();
  private static final List<String> COMPARISONS = List.of("=", "<>", "<", "<=", ">", ">=", "!=");
  private static final List<String> PATTERNS =
      List.of("%", "a%", "%b", "_", "a_b", "a\\_b", "%a%b%", "É", "A%", "", "\\%%", "_%_");

  private final Schema schema;
  private final Random random;
  private final List<Drawing.Claim> claims = new ArrayList<>();
  private String table = "t";

  Grammar(Schema schema, Random random) {
    this.schema = schema;
    this.random = random;
  }

  Drawing draw() {
    claims.clear();
    String sql = bool(3);
    return new Drawing(sql, List.copyOf(claims));
  }

  private boolean chance(int oneIn) {
    return random.nextInt(oneIn) == 0;
  }

  private String wrapped(String sql) {
    return chance(5) ? sql : "(" + sql + ")";
  }

  private String bool(int depth) {
    if (depth == 0) {
      return simple(0);
    }
    return switch (random.nextInt(14)) {
      case 0, 1 -> wrapped(bool(depth - 1) + " AND " + bool(depth - 1));
      case 2, 3 -> wrapped(bool(depth - 1) + " OR " + bool(depth - 1));
      case 4 -> wrapped("NOT " + bool(depth - 1));
      case 5 ->
          wrapped(
              bool(depth - 1)
                  + pick(
                      List.of(
                          " IS TRUE",
                          " IS NOT TRUE",
                          " IS FALSE",
                          " IS NOT FALSE",
                          " IS NULL",
                          " IS NOT NULL",
                          " IS UNKNOWN"),
                      random));
      case 6 ->
          "CASE WHEN "
              + bool(depth - 1)
              + " THEN "
              + bool(depth - 1)
              + " ELSE "
              + bool(depth - 1)
              + " END";
      case 7 -> table.equals("t") ? lookup(depth - 1) : simple(depth);
      default -> simple(depth);
    };
  }

  private String simple(int depth) {
    Kind kind = kind();
    String not = chance(4) ? " NOT" : "";
    return switch (random.nextInt(12)) {
      case 0 -> wrapped(operand(kind, depth) + " IS" + not + " NULL");
      case 1 ->
          kind.isJson()
              ? "(" + operand(kind, depth) + " IS NOT NULL)"
              : wrapped(
                  operand(kind, depth) + " IS" + not + " DISTINCT FROM " + value(kind, depth));
      case 2 ->
          kind.isJson()
              ? json(kind, depth) + " = 'a'"
              : wrapped(
                  operand(kind, depth)
                      + not
                      + " BETWEEN "
                      + value(kind, depth)
                      + " AND "
                      + value(kind, depth));
      case 3 -> kind.isJson() ? "true" : in(kind, depth, not);
      case 4 ->
          wrapped(
              text(depth)
                  + not
                  + pick(List.of(" LIKE ", " ILIKE "), random)
                  + (chance(4) ? text(0) : quoted(pick(PATTERNS, random)))
                  + (chance(6) ? " ESCAPE '!'" : ""));
      case 5 -> any(kind, depth);
      case 6 -> column(Kind.BOOLEAN, false) == null ? "true" : operand(Kind.BOOLEAN, depth);
      case 7 ->
          wrapped(
              kind.isMoment()
                  ? operand(kind, depth) + " > now() - interval '3 days'"
                  : number(depth) + pick(List.of(" < ", " >= "), random) + number(depth));
      default ->
          kind.isJson()
              ? wrapped(json(kind, depth) + " " + pick(COMPARISONS, random) + " " + text(0))
              : wrapped(
                  operand(kind, depth)
                      + " "
                      + pick(COMPARISONS, random)
                      + " "
                      + value(related(kind), depth));
    };
  }

  private Kind kind() {
    return pick(schema.of(table), random).kind();
  }

  /** A type that compares with it. */
  private Kind related(Kind kind) {
    if (kind.isNumber() && chance(2)) {
      return pick(NUMBERS, random);
    }
    if (kind.isMoment() && chance(3)) {
      return pick(List.of(Kind.DATE, Kind.TIMESTAMP, Kind.TIMESTAMPTZ), random);
    }
    return kind.isText() && chance(3) ? Kind.TEXT : kind;
  }

  private String in(Kind kind, int depth, String not) {
    StringBuilder list = new StringBuilder();
    int count = 1 + random.nextInt(4);
    for (int i = 0; i < count; i++) {
      list.append(i == 0 ? "" : ", ").append(chance(8) ? "NULL" : value(related(kind), 0));
    }
    return wrapped(operand(kind, depth) + not + " IN (" + list + ")");
  }

  private String any(Kind kind, int depth) {
    if (kind.isJson()) {
      return "true";
    }
    String quantifier = pick(List.of("ANY", "ALL", "SOME"), random);
    String comparison = chance(2) ? "=" : pick(COMPARISONS, random);
    String left = operand(kind, depth);
    Drawn array = column(kind, true);
    String right =
        array != null && chance(2)
            ? name(array)
            : chance(3)
                ? "ARRAY[" + operand(kind, 0) + ", " + value(kind, 0) + "]"
                : claim(kind, true);
    return wrapped(left + " " + comparison + " " + quantifier + " (" + right + ")");
  }

  private String lookup(int depth) {
    table = "m";
    String user = chance(2) ? "m.u = " + claim(Kind.TEXT, false) : "u = 'a'";
    String correlation = chance(4) ? "m.q = t.p" : "m.p = t.p";
    String rest = chance(3) ? " AND " + bool(Math.min(1, depth)) : "";
    table = "t";
    if (chance(2)) {
      return "EXISTS (SELECT 1 FROM m WHERE " + correlation + " AND " + user + rest + ")";
    }
    String in = chance(3) ? " NOT IN " : " IN ";
    String item = chance(2) ? "p" : "q";
    return "(t.p" + in + "(SELECT " + item + " FROM m WHERE " + user + rest + "))";
  }

  private @Nullable Drawn column(Kind kind, boolean array) {
    List<Drawn> all =
        schema.of(table).stream()
            .filter(column -> column.kind() == kind && column.array() == array)
            .toList();
    return all.isEmpty() ? null : pick(all, random);
  }

  private String name(Drawn column) {
    String name = column.name().equals("Mixed") ? "\"Mixed\"" : column.name();
    return table.equals("m") ? "m." + name : chance(4) ? "t." + name : name;
  }

  private String value(Kind kind, int depth) {
    if (depth > 0 && chance(3)) {
      String computed = computed(kind, depth - 1);
      if (computed != null) {
        return computed;
      }
    }
    Drawn column = column(kind, false);
    if (column != null && !chance(3)) {
      return name(column);
    }
    if (chance(2) && !kind.isJson()) {
      return claim(kind, false);
    }
    return literal(kind);
  }

  /** A value whose type is known by itself. */
  private String operand(Kind kind, int depth) {
    String value = value(kind, depth);
    String type = kind == Kind.CHAR ? "bpchar" : kind.sqlName();
    return value.startsWith(":") || (value.startsWith("'") && !value.contains("::"))
        ? value + "::" + type
        : value;
  }

  private String literal(Kind kind) {
    String text = pick(kind.samples(), random);
    boolean plain = kind.isNumber() && text.matches("-?[0-9.]+") && chance(2);
    if (plain) {
      return text.startsWith("-") ? "(" + text + ")" : text;
    }
    if (kind == Kind.BOOLEAN && chance(2)) {
      return text;
    }
    if (kind == Kind.CHAR) {
      return quoted(text);
    }
    return chance(2) && !kind.isJson()
        ? quoted(text)
        : chance(2)
            ? quoted(text) + "::" + kind.sqlName()
            : "CAST(" + quoted(text) + " AS " + kind.sqlName() + ")";
  }

  private @Nullable String computed(Kind kind, int depth) {
    switch (random.nextInt(5)) {
      case 0 -> {
        return kind.isJson()
            ? null
            : "coalesce(" + operand(kind, depth) + ", " + value(kind, depth) + ")";
      }
      case 1 -> {
        return kind.isJson()
            ? null
            : "nullif(" + operand(kind, depth) + ", " + value(kind, depth) + ")";
      }
      case 2 -> {
        return kind.isJson()
            ? null
            : "CASE WHEN "
                + bool(0)
                + " THEN "
                + operand(kind, depth)
                + " ELSE "
                + value(kind, depth)
                + " END";
      }
      default -> {
        return kind.isNumber()
            ? arithmetic(kind, depth)
            : kind.isText()
                ? text(depth)
                : kind.isMoment() ? moment(kind, depth) : cast(kind, depth);
      }
    }
  }

  private String arithmetic(Kind kind, int depth) {
    return switch (random.nextInt(6)) {
      case 0 ->
          "("
              + operand(kind, depth)
              + ")::"
              + pick(
                  List.of(
                      "integer", "bigint", "numeric", "double precision", "numeric(8,1)", "real"),
                  random);
      case 1 -> "abs(" + operand(kind, depth) + ")";
      case 2 -> "- " + operand(kind, depth);
      case 3 -> "length(" + text(depth) + ")";
      default ->
          wrapped(
              number(depth)
                  + pick(
                      kind.isWhole()
                          ? List.of(" + ", " - ", " * ", " / ", " % ")
                          : List.of(" + ", " - ", " * ", " / "),
                      random)
                  + value(related(kind), depth));
    };
  }

  private String number(int depth) {
    Drawn column = pick(schema.of(table), random);
    return operand(
        column.kind().isNumber() && !column.array() ? column.kind() : Kind.INTEGER, depth);
  }

  private String text(int depth) {
    return switch (random.nextInt(6)) {
      case 0 -> depth == 0 ? literal(Kind.TEXT) : "lower(" + text(depth - 1) + ")";
      case 1 -> depth == 0 ? literal(Kind.TEXT) : "upper(" + text(depth - 1) + ")";
      case 2 ->
          depth == 0 ? literal(Kind.TEXT) : wrapped(text(depth - 1) + " || " + text(depth - 1));
      case 3 -> {
        Kind kind = kind();
        boolean castable =
            kind.isWhole()
                || kind == Kind.NUMERIC
                || kind == Kind.MONEY
                || kind == Kind.UUID
                || kind == Kind.DATE
                || kind == Kind.TIMESTAMP
                || kind == Kind.TIMESTAMPTZ
                || kind == Kind.BOOLEAN
                || kind == Kind.TIME;
        yield castable ? "(" + operand(kind, 0) + ")::text" : value(Kind.TEXT, 0);
      }
      default -> value(pick(List.of(Kind.TEXT, Kind.VARCHAR, Kind.CHAR), random), 0);
    };
  }

  private String json(Kind kind, int depth) {
    String json = depth > 0 && chance(3) ? "(" + operand(kind, 0) + " -> 'a')" : value(kind, 0);
    return "("
        + json
        + " ->> "
        + pick(List.of("'a'", "'b'", "'c'", "1", "0", "-1", "'é'"), random)
        + ")";
  }

  private String moment(Kind kind, int depth) {
    return switch (random.nextInt(4)) {
      case 0 ->
          "("
              + operand(kind, depth)
              + ")::"
              + pick(List.of("date", "timestamp", "timestamptz"), random);
      case 1 ->
          kind == Kind.DATE
              ? wrapped(operand(kind, depth) + " + " + random.nextInt(40))
              : value(kind, 0);
      default ->
          wrapped(
              operand(kind, depth)
                  + pick(List.of(" + ", " - "), random)
                  + "interval "
                  + quoted(pick(Kind.INTERVAL.samples(), random)));
    };
  }

  private @Nullable String cast(Kind kind, int depth) {
    if (kind == Kind.BOOLEAN) {
      return "(" + bool(0) + ")";
    }
    if (kind == Kind.INTERVAL) {
      return wrapped(operand(Kind.TIMESTAMP, depth) + " - " + value(Kind.TIMESTAMP, depth));
    }
    return null;
  }

  private String claim(Kind kind, boolean array) {
    String name = "c" + claims.size();
    if (!array) {
      String text = pick(kind.samples(), random);
      Object value = kind.claim(text);
      if (value == null) {
        return quoted(text);
      }
      String form = value instanceof Long whole ? whole.toString() : text;
      claims.add(new Drawing.Claim(name, kind.sqlName(), form, value));
      return ":" + name;
    }
    List<Object> values = new ArrayList<>();
    StringBuilder text = new StringBuilder("{");
    int count = random.nextInt(4);
    for (int i = 0; i < count; i++) {
      String one = pick(kind.samples(), random);
      Object value = kind.claim(one);
      if (value != null) {
        text.append(values.isEmpty() ? "" : ",");
        String form = value instanceof Long whole ? whole.toString() : one;
        text.append('"').append(form.replace("\\", "\\\\").replace("\"", "\\\"")).append('"');
        values.add(value);
      }
    }
    claims.add(new Drawing.Claim(name, kind.sqlName() + "[]", text.append('}').toString(), values));
    return ":" + name;
  }
}
