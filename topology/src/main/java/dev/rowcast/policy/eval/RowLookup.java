package dev.rowcast.policy.eval;

import dev.rowcast.policy.value.ValueException;

/** Where look-ups are answered. Thread-safe. */
public interface RowLookup {
  /** Answers none: predicates with look-ups hide every row. */
  RowLookup NONE =
      spec ->
          (key, such) -> {
            throw new ValueException("no look-ups here");
          };

  /** An index; the same one for equal specs. */
  RowIndex index(IndexSpec spec);
}
