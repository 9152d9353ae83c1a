/**
 * Evaluates typed predicates straight from the bytes of a row: closures, made once per predicate
 * and shared by all who are judged by it; claims come in as arguments. No clock of its own, no
 * Kafka.
 */
@NullMarked
package dev.rowcast.policy.eval;

import org.jspecify.annotations.NullMarked;
