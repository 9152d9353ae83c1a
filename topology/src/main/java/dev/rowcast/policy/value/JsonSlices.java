package dev.rowcast.policy.value;

import dev.rowcast.event.JsonObject;
import java.nio.charset.StandardCharsets;

/** Slices of canonical JSON. Stateless; thread-safe. */
final class JsonSlices {
  private JsonSlices() {}

  /** Where the value ends that starts at {@code at}, exclusive. */
  static int end(byte[] bytes, int at) {
    int depth = 0;
    int i = at;
    do {
      byte b = bytes[i];
      if (b == '"') {
        i = endOfString(bytes, i);
      } else if (b == '{' || b == '[') {
        depth++;
        i++;
      } else if (b == '}' || b == ']') {
        depth--;
        i++;
      } else if (b == ',' || b == ':') {
        i++;
      } else {
        i = endOfPlain(bytes, i);
      }
    } while (depth > 0);
    return i;
  }

  private static int endOfString(byte[] bytes, int at) {
    int i = at + 1;
    while (bytes[i] != '"') {
      i += bytes[i] == '\\' ? 2 : 1;
    }
    return i + 1;
  }

  private static int endOfPlain(byte[] bytes, int at) {
    int i = at;
    while (i < bytes.length
        && bytes[i] != ','
        && bytes[i] != '}'
        && bytes[i] != ']'
        && bytes[i] != ':') {
      i++;
    }
    return i;
  }

  /** The text of a string with its quotes. */
  static String string(byte[] bytes, int from, int to) {
    for (int i = from + 1; i < to - 1; i++) {
      if (bytes[i] == '\\') {
        return JsonObject.decode(bytes, from + 1, to - 1);
      }
    }
    return new String(bytes, from + 1, to - from - 2, StandardCharsets.UTF_8);
  }
}
