package dev.rowcast.normalise;

import dev.rowcast.event.JsonObject;

/** What a record says of a row, before it is held against what is known of that row. */
sealed interface Candidate {

  /** The key columns, in key order, canonical; none is NULL. */
  JsonObject key();

  /**
   * The row is there, and is this.
   *
   * @param row the whole row, key columns included
   */
  record Upsert(JsonObject key, JsonObject row) implements Candidate {}

  /** The row is gone. */
  record Delete(JsonObject key) implements Candidate {}
}
