package dev.rowcast.source;

import java.util.Locale;
import java.util.Optional;

/** How a table's changes are had: {@code live.strategy}. */
public enum Strategy {
  /** The database's own means: triggers and an outbox in PostgreSQL. */
  NATIVE,
  /** Topics that a Debezium connector writes. */
  DEBEZIUM,
  /** Any Kafka topic of deltas. */
  KAFKA,
  /** A query with a watermark, again and again. */
  POLL;

  private final String wire = name().toLowerCase(Locale.ROOT);

  public String wire() {
    return wire;
  }

  public static Optional<Strategy> ofWire(String wire) {
    for (Strategy strategy : values()) {
      if (strategy.wire.equals(wire)) {
        return Optional.of(strategy);
      }
    }
    return Optional.empty();
  }
}
