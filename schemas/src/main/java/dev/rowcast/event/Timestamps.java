package dev.rowcast.event;

import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoField;

/** The forms of points in time in events. */
public final class Timestamps {
  private static final String UTC_OFFSET = "+00:00";
  private static final DateTimeFormatter MICROS =
      new DateTimeFormatterBuilder()
          .appendPattern("uuuu-MM-dd'T'HH:mm:ss")
          .appendFraction(ChronoField.NANO_OF_SECOND, 6, 6, true)
          .appendLiteral('Z')
          .toFormatter()
          .withZone(ZoneOffset.UTC);
  private static final DateTimeFormatter TRIMMED =
      new DateTimeFormatterBuilder()
          .appendPattern("uuuu-MM-dd'T'HH:mm:ss")
          .appendFraction(ChronoField.NANO_OF_SECOND, 0, 9, true)
          .appendLiteral('Z')
          .toFormatter()
          .withZone(ZoneOffset.UTC);

  private Timestamps() {}

  /** {@code occurredUtc}: always six digits of a second. */
  public static String micros(Instant instant) {
    return MICROS.format(instant);
  }

  /**
   * A timestamp with zone as text, told in UTC with {@code Z}. What isn't an ISO-8601 date and time
   * with an offset ({@code infinity}, years beyond ISO) stays as the source tells it, except that a
   * UTC offset is written {@code Z}.
   */
  static String toUtc(String text) {
    if (text.endsWith("Z")) {
      return text;
    }
    int offset = text.indexOf(UTC_OFFSET);
    if (offset > 0) {
      return text.substring(0, offset) + "Z" + text.substring(offset + UTC_OFFSET.length());
    }
    try {
      return TRIMMED.format(OffsetDateTime.parse(text));
    } catch (DateTimeParseException e) {
      return text; // not a form of ours to change: the source's own word for it
    }
  }
}
