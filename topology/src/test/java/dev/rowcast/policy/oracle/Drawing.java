package dev.rowcast.policy.oracle;

import java.util.List;

/** A drawn predicate, and the claims it reads in the order in which they stand. */
record Drawing(String sql, List<Claim> claims) {

  /**
   * A claim that a predicate reads.
   *
   * @param text its value as PostgreSQL reads it
   * @param value the same as a claim
   */
  record Claim(String name, String sqlType, String text, Object value) {}
}
