package dev.rowcast.config;

import static java.util.Objects.requireNonNull;

/** A text that must not be seen: its {@link #toString()} hides it. */
public record Secret(String reveal) {
  public Secret {
    requireNonNull(reveal, "reveal");
  }

  @Override
  public String toString() {
    return "***";
  }
}
