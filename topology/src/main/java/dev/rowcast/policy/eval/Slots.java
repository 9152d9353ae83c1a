package dev.rowcast.policy.eval;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What is computed once per caller, from claims alone, rather than once per row. Filled while a
 * predicate is compiled, then only read.
 */
final class Slots {
  private final List<Function<ClaimSource, @Nullable Object>> slots = new ArrayList<>();

  /** The index of the argument that {@code compute} gives. */
  int add(Function<ClaimSource, @Nullable Object> compute) {
    slots.add(compute);
    return slots.size() - 1;
  }

  /**
   * @throws dev.rowcast.policy.value.ValueException for a claim that is missing or of another type
   */
  @Nullable Object[] fill(ClaimSource claims) {
    @Nullable Object[] arguments = new @Nullable Object[slots.size()];
    for (int i = 0; i < arguments.length; i++) {
      arguments[i] = slots.get(i).apply(claims);
    }
    return arguments;
  }
}
