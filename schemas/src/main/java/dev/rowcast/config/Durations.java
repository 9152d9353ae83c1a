package dev.rowcast.config;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Durations as the configuration writes them: {@code 500ms}, {@code 1.5h}, {@code 30} seconds. */
final class Durations {
  static final String FORM = "such as 500ms, 15s, 5m, 1h, 7d, or a number of seconds";

  private static final Pattern PATTERN =
      Pattern.compile("([0-9]{1,12}(?:\\.[0-9]{1,9})?) ?(ms|s|m|h|d)?");

  private Durations() {}

  static Optional<Duration> parse(String text) {
    Matcher form = PATTERN.matcher(text);
    if (!form.matches()) {
      return Optional.empty();
    }
    String unit = form.group(2) == null ? "s" : form.group(2);
    BigDecimal nanos = new BigDecimal(form.group(1)).multiply(BigDecimal.valueOf(nanosOf(unit)));
    BigDecimal[] parts = nanos.divideAndRemainder(BigDecimal.valueOf(1_000_000_000));
    return Optional.of(Duration.ofSeconds(parts[0].longValue(), parts[1].longValue()));
  }

  private static long nanosOf(String unit) {
    return switch (unit) {
      case "ms" -> 1_000_000L;
      case "s" -> 1_000_000_000L;
      case "m" -> 60_000_000_000L;
      case "h" -> 3_600_000_000_000L;
      case "d" -> 86_400_000_000_000L;
      default -> throw new IllegalArgumentException(unit);
    };
  }

  /** The shortest form that {@link #parse} reads back, to the millisecond. */
  static String format(Duration duration) {
    long millis = duration.toMillis();
    if (millis % 1000 != 0) {
      return millis + "ms";
    }
    long seconds = millis / 1000;
    if (seconds % 86400 == 0) {
      return seconds / 86400 + "d";
    }
    if (seconds % 3600 == 0) {
      return seconds / 3600 + "h";
    }
    return seconds % 60 == 0 ? seconds / 60 + "m" : seconds + "s";
  }
}
