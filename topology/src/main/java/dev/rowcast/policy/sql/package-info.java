/**
 * Predicates as they are written: PostgreSQL's grammar of expressions, cut to what can be judged
 * from a row, the caller's claims and look-ups, and typed by PostgreSQL's rules. What isn't
 * understood is refused with its position; nothing is half understood.
 *
 * <p>A parser of our own, because who sees a row hangs on it: {@code
 * docs/decisions/0006-predicates.md} tells where others read the same text differently.
 */
@NullMarked
package dev.rowcast.policy.sql;

import org.jspecify.annotations.NullMarked;
