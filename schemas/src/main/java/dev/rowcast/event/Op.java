package dev.rowcast.event;

import java.util.Locale;
import java.util.Optional;

/** What happened to a row. */
public enum Op {
  INSERT,
  UPDATE,
  DELETE;

  private final String wire = name().toLowerCase(Locale.ROOT);

  /** The lower-case form used in events, SSE event names and request parameters. */
  public String wire() {
    return wire;
  }

  /** The op of a wire form; empty for anything else, other letter cases included. */
  public static Optional<Op> ofWire(String wire) {
    for (Op op : values()) {
      if (op.wire.equals(wire)) {
        return Optional.of(op);
      }
    }
    return Optional.empty();
  }
}
