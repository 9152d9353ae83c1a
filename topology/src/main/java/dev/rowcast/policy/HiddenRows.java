package dev.rowcast.policy;

import dev.rowcast.event.TableId;

/** Told where doubt hid rows, to be counted. Called on any thread, often; must not block. */
@FunctionalInterface
public interface HiddenRows {

  /** Somebody lacks a claim that a rule reads, or has one of another type: the rule is closed. */
  void missingClaim(TableId table, String role);

  /** A rule failed on a row, or doesn't fit the table as it was found: the row is hidden. */
  default void failed(TableId table, String role) {}
}
