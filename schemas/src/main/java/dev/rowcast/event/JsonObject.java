package dev.rowcast.event;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A JSON object as canonical UTF-8 bytes (no white space outside strings) with the slice of each
 * member, found in one pass. A view: values are neither copied nor decoded until asked for.
 *
 * <p>Only for bytes that {@link JsonBytes} or {@link RowEncoder} wrote; what comes from outside
 * goes through {@link RowEncoder}, which parses it. Immutable as long as nobody writes to the
 * array; thread-safe then. Equal when the bytes are equal.
 */
public final class JsonObject {
  /** The object without members. */
  public static final JsonObject EMPTY = of("{}".getBytes(StandardCharsets.US_ASCII));

  private static final int FIELDS = 4; // name start, name end, value start, value end

  private final byte[] bytes;
  private final int from;
  private final int to;
  private final int[] slices;
  private final int count;

  private JsonObject(byte[] bytes, int from, int to, int[] slices, int count) {
    this.bytes = bytes;
    this.from = from;
    this.to = to;
    this.slices = slices;
    this.count = count;
  }

  public static JsonObject of(byte[] canonical) {
    return of(canonical, 0, canonical.length);
  }

  /**
   * The object in {@code bytes[from, to)}.
   *
   * @throws IllegalArgumentException if its members can't be told apart; values are not checked
   */
  public static JsonObject of(byte[] bytes, int from, int to) {
    if (to - from < 2 || bytes[from] != '{' || bytes[to - 1] != '}') {
      throw malformed(from);
    }
    int[] slices = new int[8 * FIELDS];
    int count = 0;
    int at = from + 1;
    while (at < to - 1) {
      if (count > 0) {
        at = expect(bytes, at, ',');
      }
      if (count * FIELDS == slices.length) {
        slices = Arrays.copyOf(slices, slices.length * 2);
      }
      int base = count++ * FIELDS;
      slices[base] = expect(bytes, at, '"');
      at = endOfString(bytes, at, to);
      slices[base + 1] = at - 1;
      at = expect(bytes, at, ':');
      slices[base + 2] = at;
      at = endOfValue(bytes, at, to - 1);
      slices[base + 3] = at;
    }
    return new JsonObject(bytes, from, to, slices, count);
  }

  /** The number of members. */
  public int size() {
    return count;
  }

  /** The name of member {@code i}, decoded. */
  public String name(int i) {
    return decode(slices[i * FIELDS], slices[i * FIELDS + 1]);
  }

  public List<String> names() {
    List<String> names = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      names.add(name(i));
    }
    return names;
  }

  /**
   * The index of the member whose raw (escaped) name is {@code rawName}; -1 where there is none.
   */
  public int find(byte[] rawName) {
    for (int i = 0; i < count; i++) {
      if (nameIs(i, rawName)) {
        return i;
      }
    }
    return -1;
  }

  /** As {@link #find(byte[])}, for a decoded name. */
  public int find(String name) {
    return find(rawName(name));
  }

  /** Whether the raw (escaped) name of member {@code i} is {@code rawName}. */
  public boolean nameIs(int i, byte[] rawName) {
    return Arrays.equals(
        bytes, slices[i * FIELDS], slices[i * FIELDS + 1], rawName, 0, rawName.length);
  }

  /** How a name stands in canonical JSON, without its quotes: what {@link #find(byte[])} takes. */
  public static byte[] rawName(String name) {
    byte[] quoted = new JsonBytes(name.length() + 2).string(name).toByteArray();
    return Arrays.copyOfRange(quoted, 1, quoted.length - 1);
  }

  /** Where member {@code i} starts in {@link #bytes()}: its name's opening quote. */
  public int memberStart(int i) {
    return slices[i * FIELDS] - 1;
  }

  public int valueStart(int i) {
    return slices[i * FIELDS + 2];
  }

  /** Where member {@code i} and its value end in {@link #bytes()}, exclusive. */
  public int valueEnd(int i) {
    return slices[i * FIELDS + 3];
  }

  /** Member {@code i}'s value as JSON text. */
  public String valueText(int i) {
    return new String(bytes, valueStart(i), valueEnd(i) - valueStart(i), StandardCharsets.UTF_8);
  }

  public byte[] valueBytes(int i) {
    return Arrays.copyOfRange(bytes, valueStart(i), valueEnd(i));
  }

  public boolean valueIsNull(int i) {
    return bytes[valueStart(i)] == 'n';
  }

  public boolean valueIsString(int i) {
    return bytes[valueStart(i)] == '"';
  }

  /** The decoded text of a string value; {@code i} must be one. */
  public String stringValue(int i) {
    if (!valueIsString(i)) {
      throw new IllegalArgumentException(name(i) + ": " + valueText(i) + " (expected: a string)");
    }
    return decode(valueStart(i) + 1, valueEnd(i) - 1);
  }

  /** Whether the values are the same bytes; {@code j} is {@code other}'s index. */
  public boolean sameValue(int i, JsonObject other, int j) {
    return Arrays.equals(
        bytes, valueStart(i), valueEnd(i), other.bytes, other.valueStart(j), other.valueEnd(j));
  }

  /** The backing array: not to be written to; this object is its {@code [start, end)}. */
  public byte[] bytes() {
    return bytes;
  }

  public int start() {
    return from;
  }

  public int end() {
    return to;
  }

  /** A copy of just this object's bytes. */
  public byte[] toByteArray() {
    return from == 0 && to == bytes.length ? bytes.clone() : Arrays.copyOfRange(bytes, from, to);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof JsonObject o && Arrays.equals(bytes, from, to, o.bytes, o.from, o.to);
  }

  @Override
  public int hashCode() {
    int hash = 1;
    for (int i = from; i < to; i++) {
      hash = 31 * hash + bytes[i];
    }
    return hash;
  }

  @Override
  public String toString() {
    return new String(bytes, from, to - from, StandardCharsets.UTF_8);
  }

  private String decode(int start, int end) {
    return decode(bytes, start, end);
  }

  /** The text of a JSON string's inside. */
  public static String decode(byte[] bytes, int start, int end) {
    String raw = new String(bytes, start, end - start, StandardCharsets.UTF_8);
    return raw.indexOf('\\') < 0 ? raw : unescape(raw);
  }

  private static String unescape(String raw) {
    StringBuilder text = new StringBuilder(raw.length());
    for (int i = 0; i < raw.length(); i++) {
      char c = raw.charAt(i);
      if (c != '\\') {
        text.append(c);
        continue;
      }
      char escaped = raw.charAt(++i);
      switch (escaped) {
        case 'n' -> text.append('\n');
        case 'r' -> text.append('\r');
        case 't' -> text.append('\t');
        case 'b' -> text.append('\b');
        case 'f' -> text.append('\f');
        case 'u' -> {
          text.append((char) Integer.parseInt(raw, i + 1, i + 5, 16));
          i += 4;
        }
        default -> text.append(escaped);
      }
    }
    return text.toString();
  }

  private static int expect(byte[] bytes, int at, char c) {
    if (bytes[at] != c) {
      throw malformed(at);
    }
    return at + 1;
  }

  /** {@code at} is the opening quote; answers the index after the closing one. */
  private static int endOfString(byte[] bytes, int at, int limit) {
    for (int i = at + 1; i < limit; i++) {
      byte b = bytes[i];
      if (b == '"') {
        return i + 1;
      }
      if (b == '\\') {
        i++;
      }
    }
    throw malformed(at);
  }

  private static int endOfValue(byte[] bytes, int at, int limit) {
    if (at < limit) {
      byte first = bytes[at];
      if (first == '"') {
        return endOfString(bytes, at, limit);
      }
      if (first == '{' || first == '[') {
        return endOfContainer(bytes, at, limit);
      }
      int i = at;
      while (i < limit && bytes[i] != ',' && bytes[i] != '}' && bytes[i] != ']') {
        i++;
      }
      if (i > at) {
        return i;
      }
    }
    throw malformed(at);
  }

  private static int endOfContainer(byte[] bytes, int at, int limit) {
    int depth = 0;
    int i = at;
    while (i < limit) {
      byte b = bytes[i];
      if (b == '"') {
        i = endOfString(bytes, i, limit);
        continue;
      }
      i++;
      if (b == '{' || b == '[') {
        depth++;
      } else if ((b == '}' || b == ']') && --depth == 0) {
        return i;
      }
    }
    throw malformed(at);
  }

  private static IllegalArgumentException malformed(int at) {
    return new IllegalArgumentException(
        "byte " + at + ": not a canonical JSON object (expected: one object, no white space)");
  }
}
