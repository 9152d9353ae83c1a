package dev.rowcast.normalise;

import dev.rowcast.event.MalformedRowException;
import org.jspecify.annotations.Nullable;

/** Reads the records of one table's topic; one implementation per strategy. Thread-safe. */
sealed interface Decoder permits UpsertDecoder {

  /**
   * What the record says.
   *
   * @throws MalformedRowException if it can't be read as a row; the message says what was expected
   */
  Candidate decode(byte @Nullable [] key, byte @Nullable [] value) throws MalformedRowException;

  /** The decoder of a table's topic. */
  static Decoder of(SourceTable table) {
    return switch (table.strategy()) {
      case KAFKA -> new UpsertDecoder(table.columns(), table.key());
      case NATIVE, DEBEZIUM, POLL ->
          throw new IllegalArgumentException(
              table.table()
                  + ": strategy "
                  + table.strategy().wire()
                  + " (expected: one whose changes come from a topic: kafka)");
    };
  }
}
