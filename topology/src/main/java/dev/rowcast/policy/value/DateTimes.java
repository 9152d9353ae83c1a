package dev.rowcast.policy.value;

import java.time.DateTimeException;
import java.time.LocalDate;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Dates and times: ISO forms, {@code infinity} and {@code BC}, and PostgreSQL's arithmetic. The
 * time zone is UTC. Stateless; thread-safe.
 */
public final class DateTimes {
  /** The date, timestamp or timestamptz after all others; {@link #MINUS_INFINITY} before. */
  public static final long INFINITY = Long.MAX_VALUE;

  public static final long MINUS_INFINITY = Long.MIN_VALUE;

  private static final long DAY = Interval.DAY;
  private static final long MIN_DAY = LocalDate.of(-4712, 1, 1).toEpochDay() - 38;
  private static final long MAX_DAY = LocalDate.of(5874897, 12, 31).toEpochDay();

  private DateTimes() {}

  static long parseDate(String text) {
    Reader in = new Reader(text, "date");
    Long infinite = in.infinity();
    if (infinite != null) {
      return infinite;
    }
    long day = in.dayAndEra();
    if (in.atSeparator()) { // a timestamp's time has no effect
      long unused = in.time() + in.offset();
    }
    in.end();
    return checkDay(day);
  }

  static long parseTime(String text) {
    Reader in = new Reader(text, "time");
    long time = in.time();
    in.end();
    return time;
  }

  /**
   * @param zoned whether an offset counts; where it doesn't, it is read and has no effect
   */
  static long parseTimestamp(String text, boolean zoned) {
    Reader in = new Reader(text, zoned ? "timestamp with time zone" : "timestamp");
    Long infinite = in.infinity();
    if (infinite != null) {
      return infinite;
    }
    long day = in.dayAndEra();
    long time = in.atSeparator() ? in.time() : 0;
    long offset = in.offset();
    in.end();
    return micros(day, zoned ? time - offset : time);
  }

  private static long micros(long day, long time) {
    try {
      long micros = Math.addExact(Math.multiplyExact(day, DAY), time);
      if (day < MIN_DAY - 1 || isInfinite(micros)) {
        throw new ValueException("timestamp out of range");
      }
      return micros;
    } catch (ArithmeticException e) {
      throw new ValueException("timestamp out of range");
    }
  }

  private static long checkDay(long day) {
    if (day < MIN_DAY || day > MAX_DAY) {
      throw new ValueException("date out of range");
    }
    return day;
  }

  public static boolean isInfinite(long value) {
    return value == INFINITY || value == MINUS_INFINITY;
  }

  /** A date as the timestamp at its midnight. */
  static long atMidnight(long day) {
    return isInfinite(day) ? day : micros(day, 0);
  }

  /** The date of a timestamp. */
  static long dayOf(long micros) {
    return isInfinite(micros) ? micros : Math.floorDiv(micros, DAY);
  }

  static long timeOf(long micros) {
    return Math.floorMod(micros, DAY);
  }

  /** A date so many days later. */
  public static long plusDays(long day, long days) {
    return isInfinite(day) ? day : checkDay(Math.addExact(day, days));
  }

  /** The days between two dates. */
  public static long minusDate(long day, long other) {
    if (isInfinite(day) || isInfinite(other)) {
      throw new ValueException("cannot subtract infinite dates");
    }
    return day - other;
  }

  /** A timestamp later by an interval: months first, then days, then time. */
  public static long plus(long micros, Interval interval) {
    if (!interval.isFinite()) {
      long infinite = interval.compareTo(Interval.INFINITY) == 0 ? INFINITY : MINUS_INFINITY;
      if (isInfinite(micros) && micros != infinite) {
        throw new ValueException("timestamp out of range");
      }
      return infinite;
    }
    if (isInfinite(micros)) {
      return micros;
    }
    try {
      LocalDate day = LocalDate.ofEpochDay(dayOf(micros)).plusMonths(interval.months());
      long days = Math.addExact(day.toEpochDay(), (long) interval.days());
      return micros(days, Math.addExact(timeOf(micros), interval.micros()));
    } catch (ArithmeticException | DateTimeException e) {
      throw new ValueException("timestamp out of range");
    }
  }

  /** The interval between two timestamps, in days and time. */
  public static Interval minus(long micros, long other) {
    if (isInfinite(micros) || isInfinite(other)) {
      if (micros == other) {
        throw new ValueException("interval out of range");
      }
      boolean later = micros == INFINITY || other == MINUS_INFINITY;
      return later ? Interval.INFINITY : Interval.MINUS_INFINITY;
    }
    try {
      return Interval.between(Math.subtractExact(micros, other));
    } catch (ArithmeticException e) {
      throw new ValueException("interval out of range");
    }
  }

  static String dateText(long day) {
    if (isInfinite(day)) {
      return day == INFINITY ? "infinity" : "-infinity";
    }
    LocalDate date = LocalDate.ofEpochDay(day);
    int year = date.getYear();
    String text =
        String.format(
            Locale.ROOT,
            "%04d-%02d-%02d",
            year > 0 ? year : 1 - year,
            date.getMonthValue(),
            date.getDayOfMonth());
    return year > 0 ? text : text + " BC";
  }

  static String timeText(long time) {
    long seconds = time / 1_000_000;
    String text =
        String.format(
            Locale.ROOT, "%02d:%02d:%02d", seconds / 3600, seconds / 60 % 60, seconds % 60);
    long fraction = time % 1_000_000;
    return fraction == 0
        ? text
        : text + "." + String.format(Locale.ROOT, "%06d", fraction).replaceAll("0+$", "");
  }

  static String timestampText(long micros, boolean zoned) {
    if (isInfinite(micros)) {
      return dateText(micros);
    }
    String date = dateText(dayOf(micros));
    boolean bc = date.endsWith(" BC");
    return (bc ? date.substring(0, date.length() - 3) : date)
        + " "
        + timeText(timeOf(micros))
        + (zoned ? "+00" : "")
        + (bc ? " BC" : "");
  }

  /** Reads a text from left to right. */
  private static final class Reader {
    private final String text;
    private final String what;
    private int at;

    Reader(String text, String what) {
      String stripped = text.strip();
      boolean bc =
          stripped.length() > 3 && stripped.regionMatches(true, stripped.length() - 3, " BC", 0, 3);
      this.text = bc ? stripped.substring(0, stripped.length() - 3) : stripped;
      this.beforeChrist = bc;
      this.what = what;
    }

    private final boolean beforeChrist;

    @Nullable Long infinity() {
      return switch (text.toLowerCase(Locale.ROOT)) {
        case "infinity", "+infinity" -> INFINITY;
        case "-infinity" -> MINUS_INFINITY;
        default -> null;
      };
    }

    long dayAndEra() {
      int year = number(4, 7);
      expect('-');
      int month = number(2, 2);
      expect('-');
      int day = number(2, 2);
      if (year == 0) {
        throw malformed();
      }
      try {
        return LocalDate.of(beforeChrist ? 1 - year : year, month, day).toEpochDay();
      } catch (DateTimeException e) {
        throw new ValueException("date/time field value out of range");
      }
    }

    boolean atSeparator() {
      if (at < text.length() && (text.charAt(at) == 'T' || text.charAt(at) == ' ')) {
        at++;
        return true;
      }
      return false;
    }

    long time() {
      long hours = number(2, 2);
      expect(':');
      long minutes = number(2, 2);
      long seconds = at < text.length() && text.charAt(at) == ':' ? seconds() : 0;
      long micros = (hours * 60 + minutes) * 60_000_000 + seconds;
      if (minutes > 59 || seconds > 60_000_000 || micros > DAY) {
        throw new ValueException("date/time field value out of range");
      }
      return micros;
    }

    private long seconds() {
      expect(':');
      long seconds = number(2, 2) * 1_000_000L;
      if (at == text.length() || text.charAt(at) != '.') {
        return seconds;
      }
      int start = ++at;
      while (at < text.length() && Character.digit(text.charAt(at), 10) >= 0) {
        at++;
      }
      String digits = text.substring(start, at);
      if (digits.length() > 9) {
        throw malformed();
      }
      long nanos = Long.parseLong((digits + "000000000").substring(0, 9));
      return seconds + (nanos + 500) / 1_000;
    }

    /** In microseconds, east positive; zero where there is none. */
    long offset() {
      if (at == text.length()) {
        return 0;
      }
      if (text.charAt(at) == ' ') {
        at++;
      }
      char sign = at < text.length() ? text.charAt(at) : 0;
      at++;
      if (sign == 'Z' || sign == 'z') {
        return 0;
      }
      if (sign != '+' && sign != '-') {
        throw malformed();
      }
      long seconds = number(2, 2) * 3600L;
      for (int unit = 60; unit >= 1 && at < text.length(); unit /= 60) {
        if (text.charAt(at) == ':') {
          at++;
        }
        seconds += (long) number(2, 2) * unit;
      }
      if (seconds > 15 * 3600 + 59 * 60 + 59) {
        throw new ValueException("time zone displacement out of range");
      }
      return (sign == '-' ? -seconds : seconds) * 1_000_000;
    }

    private int number(int least, int most) {
      int start = at;
      int value = 0;
      while (at < text.length()
          && at - start < most
          && text.charAt(at) >= '0'
          && text.charAt(at) <= '9') {
        value = value * 10 + text.charAt(at++) - '0';
      }
      if (at - start < least) {
        throw malformed();
      }
      return value;
    }

    private void expect(char c) {
      if (at == text.length() || text.charAt(at++) != c) {
        throw malformed();
      }
    }

    void end() {
      if (at < text.length()) {
        throw malformed();
      }
    }

    private ValueException malformed() {
      return new ValueException("invalid input syntax for type " + what);
    }
  }
}
