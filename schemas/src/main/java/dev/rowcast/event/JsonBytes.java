package dev.rowcast.event;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * A growing buffer of JSON text in UTF-8. Not thread-safe.
 *
 * <p>Written by hand because the library's UTF-8 writers refuse unpaired surrogates, which
 * PostgreSQL's {@code json} type lets through: here they stay {@code \}{@code uXXXX} escapes.
 */
public final class JsonBytes {
  private static final byte[] HEX = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);

  private byte[] buffer;
  private int size;

  public JsonBytes(int capacity) {
    buffer = new byte[Math.max(16, capacity)];
  }

  public int size() {
    return size;
  }

  /** Forgets what was written and keeps the buffer. */
  public void clear() {
    size = 0;
  }

  /** Cuts back to {@code length} bytes, which must not exceed {@link #size()}. */
  public void truncate(int length) {
    if (length < 0 || length > size) {
      throw new IllegalArgumentException("length: " + length + " (expected: 0.." + size + ")");
    }
    size = length;
  }

  public byte[] toByteArray() {
    return Arrays.copyOf(buffer, size);
  }

  public JsonBytes raw(byte[] bytes) {
    return raw(bytes, 0, bytes.length);
  }

  public JsonBytes raw(byte[] bytes, int from, int length) {
    ensure(length);
    System.arraycopy(bytes, from, buffer, size, length);
    size += length;
    return this;
  }

  /** What another buffer holds. */
  public JsonBytes raw(JsonBytes other) {
    return raw(other.buffer, 0, other.size);
  }

  /** One ASCII character. */
  public JsonBytes raw(char c) {
    ensure(1);
    buffer[size++] = (byte) c;
    return this;
  }

  /** ASCII text that needs no escaping: numbers, literals, punctuation. */
  public JsonBytes ascii(String text) {
    int length = text.length();
    ensure(length);
    for (int i = 0; i < length; i++) {
      buffer[size++] = (byte) text.charAt(i);
    }
    return this;
  }

  public JsonBytes number(long value) {
    return ascii(Long.toString(value));
  }

  /** A JSON string with its quotes. */
  public JsonBytes string(String text) {
    return string(text.toCharArray(), 0, text.length());
  }

  /** The same of a part of an array, which isn't kept. */
  public JsonBytes string(char[] text, int from, int length) {
    int end = from + length;
    raw('"');
    int next = plain(text, from, end);
    while (next < end) {
      next = plain(text, special(text, next, end), end);
    }
    return raw('"');
  }

  /** Writes the characters that stand for themselves and returns where they end. */
  private int plain(char[] text, int from, int limit) {
    int end = from;
    while (end < limit && isPlain(text[end])) {
      end++;
    }
    ensure(end - from);
    byte[] out = buffer; // locals: fields would be written at each step
    int at = size;
    for (int i = from; i < end; i++) {
      out[at++] = (byte) text[i];
    }
    size = at;
    return end;
  }

  /** Writes the one at {@code index}, with its pair if it has one, and returns what comes next. */
  private int special(char[] text, int index, int limit) {
    char c = text[index];
    if (c < 0x80) {
      escape(c);
    } else if (Character.isHighSurrogate(c)
        && index + 1 < limit
        && Character.isLowSurrogate(text[index + 1])) {
      utf8(Character.toCodePoint(c, text[index + 1]));
      return index + 2;
    } else if (Character.isSurrogate(c)) {
      unicodeEscape(c);
    } else {
      utf8(c);
    }
    return index + 1;
  }

  private static boolean isPlain(char c) {
    return c >= 0x20 && c < 0x7f && c != '"' && c != '\\';
  }

  private void escape(char c) {
    switch (c) {
      case '"' -> ascii("\\\"");
      case '\\' -> ascii("\\\\");
      case '\n' -> ascii("\\n");
      case '\r' -> ascii("\\r");
      case '\t' -> ascii("\\t");
      case '\b' -> ascii("\\b");
      case '\f' -> ascii("\\f");
      default -> unicodeEscape(c);
    }
  }

  private void unicodeEscape(char c) {
    ensure(6);
    buffer[size++] = '\\';
    buffer[size++] = 'u';
    for (int shift = 12; shift >= 0; shift -= 4) {
      buffer[size++] = HEX[(c >> shift) & 0xf];
    }
  }

  private void utf8(int codePoint) {
    ensure(4);
    if (codePoint < 0x800) {
      buffer[size++] = (byte) (0xc0 | (codePoint >> 6));
    } else if (codePoint < 0x10000) {
      buffer[size++] = (byte) (0xe0 | (codePoint >> 12));
      buffer[size++] = (byte) (0x80 | ((codePoint >> 6) & 0x3f));
    } else {
      buffer[size++] = (byte) (0xf0 | (codePoint >> 18));
      buffer[size++] = (byte) (0x80 | ((codePoint >> 12) & 0x3f));
      buffer[size++] = (byte) (0x80 | ((codePoint >> 6) & 0x3f));
    }
    buffer[size++] = (byte) (0x80 | (codePoint & 0x3f));
  }

  private void ensure(int more) {
    if (buffer.length - size < more) {
      buffer = Arrays.copyOf(buffer, Math.max(Math.addExact(size, more), buffer.length * 2));
    }
  }
}
