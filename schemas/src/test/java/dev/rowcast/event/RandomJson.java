package dev.rowcast.event;

import java.util.LinkedHashSet;
import java.util.Random;
import java.util.Set;

/** JSON texts by chance: every kind of value, escape and white space. */
final class RandomJson {
  private static final String[] NUMBERS = {
    "0",
    "-0",
    "1",
    "-17",
    "55.00",
    "0.10",
    "1e400",
    "-1E-7",
    "9223372036854775808",
    "1.0e+2",
    "12345678901234567890.123456789012345678901234567890",
    "3.4028235e38",
    "0.000"
  };

  private final Random random;

  RandomJson(Random random) {
    this.random = random;
  }

  /** An object whose members have different names. */
  String object(int depth) {
    StringBuilder json = new StringBuilder(space()).append('{');
    Set<String> names = new LinkedHashSet<>();
    for (int n = random.nextInt(6); n > 0; n--) {
      names.add(text());
    }
    String separator = "";
    for (String name : names) {
      json.append(separator).append(space()).append(quoted(name)).append(space()).append(':');
      json.append(value(depth)).append(space());
      separator = ",";
    }
    return json.append(space()).append('}').append(space()).toString();
  }

  String value(int depth) {
    String value =
        switch (random.nextInt(depth > 0 ? 8 : 6)) {
          case 0 -> "null";
          case 1 -> "true";
          case 2 -> "false";
          case 3 -> NUMBERS[random.nextInt(NUMBERS.length)];
          case 4, 5 -> quoted(text());
          case 6 -> object(depth - 1);
          default -> array(depth - 1);
        };
    return space() + value;
  }

  private String array(int depth) {
    StringBuilder json = new StringBuilder("[");
    for (int n = random.nextInt(4), i = 0; i < n; i++) {
      json.append(i == 0 ? "" : ",").append(value(depth)).append(space());
    }
    return json.append(']').toString();
  }

  /** Any text: unpaired surrogates and control characters included. */
  String text() {
    StringBuilder text = new StringBuilder();
    for (int n = random.nextInt(8); n > 0; n--) {
      switch (random.nextInt(10)) {
        case 0 -> text.append((char) random.nextInt(0x20));
        case 1 -> text.append("\"\\/\b\f\n\r\t".charAt(random.nextInt(8)));
        case 2 -> text.append((char) (0xd800 + random.nextInt(0x800)));
        case 3 -> text.appendCodePoint(0x10000 + random.nextInt(0x100000));
        case 4 -> text.append((char) (0x80 + random.nextInt(0xd800 - 0x80)));
        case 5 -> text.append("\u007f\u2028\ufeff\uffff".charAt(random.nextInt(4)));
        default -> text.append((char) (' ' + random.nextInt(95)));
      }
    }
    return text.toString();
  }

  /** A JSON string, each character escaped or, where it may, as it is. */
  String quoted(String text) {
    StringBuilder json = new StringBuilder("\"");
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      boolean must = c < 0x20 || c == '"' || c == '\\' || unpaired(text, i);
      if (must || (!Character.isSurrogate(c) && random.nextInt(8) == 0)) {
        json.append(
            random.nextInt(2) == 0 ? "\\u%04x".formatted((int) c) : "\\u%04X".formatted((int) c));
      } else {
        json.append(c);
      }
    }
    return json.append('"').toString();
  }

  private static boolean unpaired(String text, int i) {
    char c = text.charAt(i);
    if (Character.isHighSurrogate(c)) {
      return i + 1 == text.length() || !Character.isLowSurrogate(text.charAt(i + 1));
    }
    return Character.isLowSurrogate(c)
        && (i == 0 || !Character.isHighSurrogate(text.charAt(i - 1)));
  }

  private String space() {
    return random.nextInt(4) == 0 ? " \t\r\n".substring(random.nextInt(4)) : "";
  }
}
