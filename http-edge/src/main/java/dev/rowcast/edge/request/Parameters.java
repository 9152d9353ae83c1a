package dev.rowcast.edge.request;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.rowcast.cursor.Cursor;
import dev.rowcast.cursor.InvalidCursorException;
import dev.rowcast.event.Op;
import dev.rowcast.fanout.Audience.Numbers;
import dev.rowcast.problem.Excerpt;
import dev.rowcast.problem.Problem;
import dev.rowcast.problem.ProblemException;
import dev.rowcast.problem.ProblemType;
import java.net.URLDecoder;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The query of a request. A value that isn't understood is refused with the parameter's name and
 * what was expected, and so is a parameter that isn't known: a misspelt filter is never taken for
 * none. Immutable; thread-safe.
 */
public final class Parameters {
  /** The feed that there is. */
  private static final String FEED = "events";

  private static final int MAX_DIGITS = 9;

  private final Map<String, List<String>> values;

  private Parameters(Map<String, List<String>> values) {
    this.values = values;
  }

  /**
   * Reads a query string.
   *
   * @param query as it stands in the URI; null for none
   * @throws ProblemException {@code INVALID_PARAMETER} where it isn't well-formed
   */
  public static Parameters parse(@Nullable String query) {
    Map<String, List<String>> values = new LinkedHashMap<>();
    for (String pair : query == null ? new String[0] : query.split("&", -1)) {
      if (!pair.isEmpty()) {
        int equals = pair.indexOf('=');
        String name = decode(equals < 0 ? pair : pair.substring(0, equals));
        String value = equals < 0 ? "" : decode(pair.substring(equals + 1));
        values.computeIfAbsent(name, n -> new ArrayList<>()).add(value);
      }
    }
    return new Parameters(values);
  }

  private static String decode(String text) {
    try {
      return URLDecoder.decode(text, UTF_8);
    } catch (IllegalArgumentException e) {
      throw new Problem(
              ProblemType.INVALID_PARAMETER, "query: a '%' without two hexadecimal digits")
          .asException();
    }
  }

  /** Whether there is one that isn't among {@code known}. */
  public boolean hasUnknown(Set<String> known) {
    return !known.containsAll(values.keySet());
  }

  /**
   * Refuses what an endpoint doesn't know. The value isn't repeated: it may be a secret.
   *
   * @param known the names of the endpoint's parameters
   * @throws ProblemException {@code INVALID_PARAMETER}, naming one that is unknown and all known
   */
  public void requireKnown(Set<String> known) {
    for (String name : values.keySet()) {
      if (!known.contains(name)) {
        String expected =
            known.isEmpty()
                ? "no parameter"
                : known.stream().sorted().collect(Collectors.joining(", "));
        String shown = Excerpt.of(name, 80);
        throw new Problem(
                ProblemType.INVALID_PARAMETER,
                "unknown parameter '" + shown + "' (expected: " + expected + ")",
                Map.of("parameter", shown))
            .asException();
      }
    }
  }

  /** The value of a parameter that may be given once; null where it isn't. */
  public @Nullable String single(String name) {
    List<String> given = values.getOrDefault(name, List.of());
    if (given.size() > 1) {
      throw Problem.parameter(name, String.join("', '", given), "one value").asException();
    }
    return given.isEmpty() ? null : given.get(0);
  }

  /**
   * The items of a comma-separated list; empty where the parameter isn't given, which means all.
   *
   * @throws ProblemException {@code INVALID_PARAMETER} where an item is blank: a filter that came
   *     out empty must not become none
   */
  public List<String> list(String name) {
    List<String> items = new ArrayList<>();
    for (String given : values.getOrDefault(name, List.of())) {
      for (String item : given.split(",", -1)) {
        if (item.isBlank()) {
          throw Problem.parameter(name, given, "names, separated by commas; for all, no " + name)
              .asException();
        }
        items.add(item.strip());
      }
    }
    return items;
  }

  /**
   * A number; {@code otherwise} where it isn't given.
   *
   * @throws ProblemException {@code INVALID_PARAMETER} for what isn't an integer in the range
   */
  public int integer(String name, int min, int max, int otherwise) {
    String text = single(name);
    if (text == null) {
      return otherwise;
    }
    boolean digits = text.matches("[0-9]{1," + MAX_DIGITS + "}");
    int value = digits ? Integer.parseInt(text) : -1;
    if (!digits || value < min || value > max) {
      throw Problem.parameter(name, text, "an integer, " + min + " to " + max).asException();
    }
    return value;
  }

  public boolean bool(String name) {
    String text = single(name);
    if (text == null || text.equals("false")) {
      return false;
    }
    if (text.equals("true")) {
      return true;
    }
    throw Problem.parameter(name, text, "true or false").asException();
  }

  public Numbers numbers() {
    String text = single("numbers");
    for (Numbers numbers : Numbers.values()) {
      if (numbers.name().toLowerCase(Locale.ROOT).equals(text)) {
        return numbers;
      }
    }
    if (text != null) {
      throw Problem.parameter("numbers", text, "number or string").asException();
    }
    return Numbers.NUMBER;
  }

  /** The ops asked for; all where none are named. */
  public Set<Op> ops() {
    return opsOf(list("ops"));
  }

  /** The ops of these names; all for no name. */
  public static Set<Op> opsOf(List<String> names) {
    Set<Op> ops = EnumSet.noneOf(Op.class);
    for (String name : names) {
      ops.add(
          Op.ofWire(name)
              .orElseThrow(
                  () -> Problem.parameter("ops", name, "insert, update, delete").asException()));
    }
    return ops.isEmpty() ? EnumSet.allOf(Op.class) : ops;
  }

  /** Refuses a feed that there isn't. */
  public void requireKnownFeed() {
    String feed = single("feed");
    if (feed != null && !feed.equals(FEED)) {
      throw Problem.parameter("feed", feed, FEED).asException();
    }
  }

  /**
   * The cursor that a parameter gives; null where it isn't given.
   *
   * @throws ProblemException {@code INVALID_CURSOR}
   */
  public @Nullable Cursor cursor(String name) {
    String text = single(name);
    return text == null ? null : cursorOf(name, text);
  }

  /**
   * Reads a cursor.
   *
   * @param name where the text comes from, for the message
   * @throws ProblemException {@code INVALID_CURSOR}
   */
  public static Cursor cursorOf(String name, String text) {
    try {
      return Cursor.parse(text);
    } catch (InvalidCursorException e) {
      throw new Problem(
              ProblemType.INVALID_CURSOR, name + ": " + e.getMessage(), Map.of("parameter", name))
          .asException();
    }
  }
}
