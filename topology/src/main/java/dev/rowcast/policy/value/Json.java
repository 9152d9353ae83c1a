package dev.rowcast.policy.value;

import dev.rowcast.event.JsonBytes;
import dev.rowcast.event.JsonObject;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * A JSON value: a slice of canonical JSON text (no white space outside strings). Not to be
 * compared. Immutable as long as nobody writes to the array.
 */
public final class Json {
  private final byte[] bytes;
  private final int from;
  private final int to;

  public Json(byte[] bytes, int from, int to) {
    this.bytes = bytes;
    this.from = from;
    this.to = to;
  }

  /** Where the canonical JSON value ends that starts at {@code at}, exclusive. */
  public static int end(byte[] bytes, int at) {
    return JsonSlices.end(bytes, at);
  }

  /** {@code ->} by name: of an object the member of that name, the last of several. */
  public @Nullable Json member(String name) {
    if (bytes[from] != '{') {
      return null;
    }
    JsonObject object = JsonObject.of(bytes, from, to);
    byte[] raw = JsonObject.rawName(name);
    for (int i = object.size() - 1; i >= 0; i--) {
      if (object.nameIs(i, raw)) {
        return new Json(bytes, object.valueStart(i), object.valueEnd(i));
      }
    }
    return null;
  }

  /**
   * {@code ->} by position: of an array the element there, from its end where negative. A single
   * value of type {@code jsonb} is its own first element.
   */
  public @Nullable Json element(long index, SqlType.Base type) {
    if (bytes[from] != '[') {
      boolean itself = type == SqlType.Base.JSONB && bytes[from] != '{';
      return itself && (index == 0 || index == -1) ? this : null;
    }
    long wanted = index < 0 ? index + size() : index;
    int at = from + 1;
    for (long i = 0; at < to - 1; i++) {
      int end = JsonSlices.end(bytes, at);
      if (i == wanted) {
        return new Json(bytes, at, end);
      }
      at = end + 1;
    }
    return null;
  }

  private long size() {
    long size = 0;
    for (int at = from + 1; at < to - 1; at = JsonSlices.end(bytes, at) + 1) {
      size++;
    }
    return size;
  }

  /**
   * {@code ->>}: a string's text, any other value's JSON; null for JSON's null.
   *
   * @param type {@code jsonb} prints objects and arrays in a form of its own; {@code json} keeps
   *     the white space it was given, which events don't
   * @throws ValueException for an object or an array of type {@code json}
   */
  public @Nullable String text(SqlType.Base type) {
    return switch (bytes[from]) {
      case 'n' -> null;
      case '"' -> JsonSlices.string(bytes, from, to);
      default -> print(type);
    };
  }

  /** The value as PostgreSQL prints it, as in {@code ::text}. */
  String print(SqlType.Base type) {
    boolean container = bytes[from] == '{' || bytes[from] == '[';
    if (type == SqlType.Base.JSON && container) {
      throw new ValueException("the text of a json object or array isn't kept");
    }
    if (!container) {
      return new String(bytes, from, to - from, StandardCharsets.UTF_8);
    }
    JsonBytes out = new JsonBytes((to - from) * 2);
    boolean inString = false;
    for (int i = from; i < to; i++) {
      char c = (char) bytes[i];
      out.raw(bytes, i, 1);
      if (c == '\\') {
        out.raw(bytes, ++i, 1);
      } else if (c == '"') {
        inString = !inString;
      } else if (!inString && (c == ',' || c == ':')) {
        out.raw(' ');
      }
    }
    return new String(out.toByteArray(), StandardCharsets.UTF_8);
  }
}
