package dev.rowcast.connectors.postgres;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A row of the outbox.
 *
 * @param group its transaction's largest id
 * @param id its own
 * @param captured the number of the captured table
 * @param depth of the trigger that wrote it
 * @param op {@code i}, {@code u}, {@code d}; {@code r}: the table must be looked at again
 * @param occurred the statement's clock
 * @param before the old row as JSON; null for none
 * @param after the new row as JSON; null for none
 * @param actor what the writer's session says of itself; null for nothing
 * @param writer the session's user
 */
@SuppressWarnings("ArrayRecordComponent") // from one buffer to the next, never compared
record OutboxRow(
    long group,
    long id,
    int captured,
    int depth,
    char op,
    Instant occurred,
    byte @Nullable [] before,
    byte @Nullable [] after,
    @Nullable String actor,
    String writer) {

  int size() {
    return 128 + (before == null ? 0 : before.length) + (after == null ? 0 : after.length);
  }
}
