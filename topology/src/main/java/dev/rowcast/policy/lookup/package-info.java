/**
 * Rows of other tables that predicates ask for, in memory: bootstrapped by one scan, then following
 * events in order, so that a grant counts from exactly its event on. No Kafka in here.
 */
@NullMarked
package dev.rowcast.policy.lookup;

import org.jspecify.annotations.NullMarked;
