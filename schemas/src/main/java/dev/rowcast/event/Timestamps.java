package dev.rowcast.event;

import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.format.ResolverStyle;
import java.time.temporal.ChronoField;

/** The forms of points in time in events. */
public final class Timestamps {
  private static final String UTC_OFFSET = "+00:00";
  private static final int SECONDS = "2026-11-30T20:12:31".length();
  private static final DateTimeFormatter READ =
      new DateTimeFormatterBuilder()
          .appendValue(ChronoField.YEAR, 4)
          .appendPattern("-MM-dd['T'][' ']HH:mm[:ss]")
          .appendFraction(ChronoField.NANO_OF_SECOND, 0, 9, true)
          .appendPattern("[' '][XXX][XX][X]")
          .toFormatter()
          .withResolverStyle(ResolverStyle.STRICT);
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
    LocalDateTime at = LocalDateTime.ofEpochSecond(instant.getEpochSecond(), 0, ZoneOffset.UTC);
    if (at.getYear() < 0 || at.getYear() > 9999) {
      return MICROS.format(instant);
    }
    // by hand, since each event has one
    byte[] text = "0000-00-00T00:00:00.000000Z".getBytes(StandardCharsets.ISO_8859_1);
    digits(text, 3, at.getYear());
    digits(text, 6, at.getMonthValue());
    digits(text, 9, at.getDayOfMonth());
    digits(text, 12, at.getHour());
    digits(text, 15, at.getMinute());
    digits(text, 18, at.getSecond());
    digits(text, 25, instant.getNano() / 1_000);
    return new String(text, StandardCharsets.ISO_8859_1);
  }

  private static void digits(byte[] text, int last, int number) {
    int rest = number;
    for (int i = last; rest > 0; i--) {
      text[i] = (byte) ('0' + rest % 10);
      rest /= 10;
    }
  }

  /**
   * A timestamp with zone as text, told in UTC with {@code Z} and without trailing zeros in the
   * fraction, so that every source's word for it reads the same. What isn't such a date and time
   * with a year of four digits and an offset ({@code infinity}, years beyond) stays as the source
   * tells it, except that a UTC offset is written {@code Z}.
   */
  static String toUtc(String text) {
    if (isPlainUtc(text)) {
      return text.substring(0, text.length() - UTC_OFFSET.length()) + "Z";
    }
    try {
      return TRIMMED.format(OffsetDateTime.parse(text, READ));
    } catch (DateTimeException e) {
      return inPlace(text); // not a form of ours to change: the source's own word for it
    }
  }

  /** Whether it is what PostgreSQL writes, hence the bulk, which needs no understanding. */
  private static boolean isPlainUtc(String text) {
    int offset = text.length() - UTC_OFFSET.length();
    return text.endsWith(UTC_OFFSET)
        && offset >= SECONDS
        && offset <= SECONDS + 10
        && text.charAt(10) == 'T'
        && (offset == SECONDS || text.charAt(offset - 1) != '0');
  }

  private static String inPlace(String text) {
    int offset = text.indexOf(UTC_OFFSET);
    String era = offset < 0 ? "" : text.substring(offset + UTC_OFFSET.length());
    return offset > 0 && (era.isEmpty() || era.equals(" BC"))
        ? text.substring(0, offset) + "Z" + era
        : text;
  }
}
