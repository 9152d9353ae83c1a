package dev.rowcast.policy;

import dev.rowcast.event.JsonBytes;
import dev.rowcast.event.JsonObject;

/** What a masked column shows. Masks are equal when they show the same; thread-safe. */
public interface Mask {

  /**
   * Writes the JSON value that stands for member {@code i} of {@code row}. Never throws on any row:
   * where the value isn't what the mask expects, it writes {@code null}.
   */
  void write(JsonObject row, int i, JsonBytes out);
}
