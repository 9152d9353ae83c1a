package dev.rowcast.bench;

import java.nio.charset.StandardCharsets;

/** Rows of about 500 bytes of JSON. */
final class Rows {
  static final String PAYLOAD = "x".repeat(470);

  private Rows() {}

  static byte[] key(long id) {
    return ("{\"id\":" + id + "}").getBytes(StandardCharsets.US_ASCII);
  }

  static byte[] row(long id) {
    return ("{\"id\":" + id + ",\"payload\":\"" + PAYLOAD + "\"}")
        .getBytes(StandardCharsets.US_ASCII);
  }

  /** The row's id in an event object: the number in its {@code rowKey}. */
  static long idOf(String event) {
    int at = event.indexOf("\"rowKey\":{\"id\":");
    if (at < 0) {
      return -1;
    }
    int start = at + "\"rowKey\":{\"id\":".length();
    return Long.parseLong(event.substring(start, event.indexOf('}', start)));
  }
}
