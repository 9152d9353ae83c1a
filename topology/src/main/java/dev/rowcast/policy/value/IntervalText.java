package dev.rowcast.policy.value;

import java.math.BigDecimal;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Intervals as text: PostgreSQL's own form ({@code 1 day 02:30:00}, {@code 90 minutes}, {@code 1
 * mon ago}) and ISO 8601's ({@code P1DT2H30M}). A fraction is taken of units of fixed length only.
 */
final class IntervalText {
  private static final Map<String, Long> MICROS =
      Map.ofEntries(
          Map.entry("us", 1L),
          Map.entry("usec", 1L),
          Map.entry("microsecond", 1L),
          Map.entry("ms", 1_000L),
          Map.entry("msec", 1_000L),
          Map.entry("millisecond", 1_000L),
          Map.entry("s", 1_000_000L),
          Map.entry("sec", 1_000_000L),
          Map.entry("second", 1_000_000L),
          Map.entry("m", 60_000_000L),
          Map.entry("min", 60_000_000L),
          Map.entry("minute", 60_000_000L),
          Map.entry("h", 3_600_000_000L),
          Map.entry("hr", 3_600_000_000L),
          Map.entry("hour", 3_600_000_000L));
  private static final Map<String, Integer> DAYS = Map.of("d", 1, "day", 1, "w", 7, "week", 7);
  private static final Map<String, Integer> MONTHS =
      Map.of("mon", 1, "month", 1, "y", 12, "yr", 12, "year", 12, "decade", 120);
  private static final Pattern PART =
      Pattern.compile(
          "\\s*(?:([+-]?)([0-9]{1,4}):([0-9]{2})(?::([0-9]{2}(?:\\.[0-9]{1,6})?))?"
              + "|([+-]?[0-9]{1,15}(?:\\.[0-9]{1,9})?)\\s*([a-z]+))");
  private static final Pattern ISO =
      Pattern.compile("([+-]?[0-9]{1,15}(?:\\.[0-9]{1,9})?)([YMWDHS])");
  private static final String MALFORMED = "invalid input syntax for type interval";

  private int months;
  private int days;
  private long micros;

  private IntervalText() {}

  static Interval parse(String text) {
    String form = text.strip().toLowerCase(Locale.ROOT);
    if (form.equals("infinity") || form.equals("+infinity")) {
      return Interval.INFINITY;
    }
    if (form.equals("-infinity")) {
      return Interval.MINUS_INFINITY;
    }
    IntervalText sum = new IntervalText();
    try {
      boolean ago = form.endsWith(" ago");
      if (form.startsWith("p")) {
        sum.iso(form.substring(1).toUpperCase(Locale.ROOT));
      } else {
        sum.parts(ago ? form.substring(0, form.length() - 4) : form);
      }
      Interval interval = new Interval(sum.months, sum.days, sum.micros);
      return ago ? interval.negated() : interval;
    } catch (ArithmeticException e) {
      throw new ValueException("interval field value out of range");
    }
  }

  private void parts(String text) {
    Matcher part = PART.matcher(text);
    int at = 0;
    while (at < text.length()) {
      if (!part.region(at, text.length()).lookingAt()) {
        throw new ValueException(MALFORMED);
      }
      if (part.group(6) != null) {
        unit(new BigDecimal(part.group(5)), part.group(6));
      } else {
        time(part);
      }
      at = part.end();
    }
    if (text.isBlank()) {
      throw new ValueException(MALFORMED);
    }
  }

  private void time(Matcher part) {
    long value = Long.parseLong(part.group(2)) * 60 + Long.parseLong(part.group(3));
    if (Long.parseLong(part.group(3)) > 59) {
      throw new ValueException("interval field value out of range");
    }
    BigDecimal seconds = part.group(4) == null ? BigDecimal.ZERO : new BigDecimal(part.group(4));
    if (seconds.compareTo(BigDecimal.valueOf(60)) >= 0) {
      throw new ValueException("interval field value out of range");
    }
    long all = value * 60_000_000 + seconds.movePointRight(6).longValueExact();
    micros = Math.addExact(micros, part.group(1).equals("-") ? -all : all);
  }

  private void iso(String text) {
    int timeAt = text.indexOf('T');
    String date = timeAt < 0 ? text : text.substring(0, timeAt);
    String time = timeAt < 0 ? "" : text.substring(timeAt + 1);
    isoParts(date, Map.of("Y", "year", "M", "month", "W", "week", "D", "day"));
    isoParts(time, Map.of("H", "hour", "M", "minute", "S", "second"));
    if (text.isEmpty() || text.endsWith("T")) {
      throw new ValueException(MALFORMED);
    }
  }

  private void isoParts(String text, Map<String, String> units) {
    Matcher part = ISO.matcher(text);
    int at = 0;
    while (at < text.length()) {
      String unit = part.region(at, text.length()).lookingAt() ? units.get(part.group(2)) : null;
      if (unit == null) {
        throw new ValueException(MALFORMED);
      }
      unit(new BigDecimal(part.group(1)), unit);
      at = part.end();
    }
  }

  private void unit(BigDecimal number, String name) {
    String unit =
        name.length() > 2 && name.endsWith("s") && !name.equals("hrs")
            ? name.substring(0, name.length() - 1)
            : name.equals("hrs") ? "hr" : name;
    Long length = MICROS.get(unit);
    if (length != null) {
      BigDecimal all = number.multiply(BigDecimal.valueOf(length));
      micros = Math.addExact(micros, all.stripTrailingZeros().setScale(0).longValueExact());
    } else if (DAYS.containsKey(unit)) {
      days = Math.addExact(days, Math.multiplyExact(number.intValueExact(), DAYS.get(unit)));
    } else if (MONTHS.containsKey(unit)) {
      months = Math.addExact(months, Math.multiplyExact(number.intValueExact(), MONTHS.get(unit)));
    } else {
      throw new ValueException(MALFORMED);
    }
  }
}
