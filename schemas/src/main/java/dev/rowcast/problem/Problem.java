package dev.rowcast.problem;

import static java.util.Objects.requireNonNull;

import java.util.Map;

/**
 * What went wrong, as a client is told: what was wrong and what was expected, and never SQL, a
 * stack trace, a token or a hidden value.
 *
 * @param type the kind
 * @param detail this occurrence
 * @param members extension members of the problem object: strings, numbers, booleans or lists
 */
public record Problem(ProblemType type, String detail, Map<String, Object> members) {
  public Problem {
    requireNonNull(type, "type");
    requireNonNull(detail, "detail");
    members = Map.copyOf(members);
  }

  public Problem(ProblemType type, String detail) {
    this(type, detail, Map.of());
  }

  /** For a parameter: {@code name: value (expected: …)}. */
  public static Problem parameter(String name, String value, String expected) {
    return new Problem(
        ProblemType.INVALID_PARAMETER,
        name + ": '" + Excerpt.of(value, 80) + "' (expected: " + expected + ")",
        Map.of("parameter", name));
  }

  /** This problem, to be thrown. */
  public ProblemException asException() {
    return new ProblemException(this);
  }
}
