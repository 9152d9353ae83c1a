package dev.rowcast.policy.explain;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A predicate, or a part of one, and what it comes to by itself. Of an {@code AND} that is false a
 * later part may be told as failed, though it is never come to.
 *
 * @param sql as it was written
 * @param outcome what it comes to
 * @param problem why it comes to nothing; null where it is true, false or unknown. Never holds a
 *     value of a row
 * @param parts of {@code AND}, {@code OR} and {@code NOT}, what they join; else empty
 */
public record Judged(String sql, Outcome outcome, @Nullable String problem, List<Judged> parts) {
  public Judged {
    parts = List.copyOf(parts);
  }

  Judged(String sql, Outcome outcome, @Nullable String problem) {
    this(sql, outcome, problem, List.of());
  }

  Judged with(List<Judged> parts) {
    return new Judged(sql, outcome, problem, parts);
  }
}
