package dev.rowcast.policy.explain;

import java.util.Locale;

/** What a predicate comes to for one row and one caller. Only {@link #TRUE} shows the row. */
public enum Outcome {
  TRUE,
  FALSE,
  /** Unknown, in SQL's three-valued logic. */
  UNKNOWN,
  /** A claim is missing, or of another type: the rule is closed for the caller. */
  CLAIM_MISSING,
  /** It can't be computed on this row, which hides it. */
  FAILED,
  /** The types of its columns aren't known yet, or it doesn't fit them: it shows no row. */
  NOT_USABLE;

  /** How it is written in answers: {@code claim-missing}. */
  public String wire() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
