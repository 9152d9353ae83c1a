package dev.rowcast.event;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TimestampsTest {

  @ParameterizedTest
  @CsvSource({
    "2026-11-30T20:12:31.12+00:00, 2026-11-30T20:12:31.12Z",
    "2026-11-30T20:12:31.123456+00:00, 2026-11-30T20:12:31.123456Z",
    "2026-11-30T20:12:31+00:00, 2026-11-30T20:12:31Z",
    "2026-11-30T20:12:31.120+00:00, 2026-11-30T20:12:31.12Z",
    "2026-11-30T20:12:31.000Z, 2026-11-30T20:12:31Z",
    "2026-11-30T20:12Z, 2026-11-30T20:12:00Z",
    "2026-11-30T20:12:31.5+05:30, 2026-11-30T14:42:31.5Z",
    "2026-11-30T20:12:31-0330, 2026-11-30T23:42:31Z",
    "2026-12-31T20:12:31-08, 2027-01-01T04:12:31Z",
    "2026-11-30 20:12:31.5+00, 2026-11-30T20:12:31.5Z",
    "2026-11-30 20:12:31 +00:00, 2026-11-30T20:12:31Z",
    "0001-01-01T00:00:00+00:00, 0001-01-01T00:00:00Z",
    "0044-03-15T00:00:00+00:00 BC, 0044-03-15T00:00:00Z BC",
    "0044-03-15T00:00:00+05:30 BC, 0044-03-15T00:00:00+05:30 BC",
    "294276-12-31T23:59:59.999999+00:00, 294276-12-31T23:59:59.999999Z",
    "1883-11-18T12:03:58+00:00:30, 1883-11-18T12:03:58+00:00:30",
    "infinity, infinity",
    "-infinity, -infinity",
    "2026-02-30T00:00:00+01:00, 2026-02-30T00:00:00+01:00",
    "2026-11-30T20:12:31, 2026-11-30T20:12:31",
    "tomorrow, tomorrow",
    "'', ''",
    "+00:00, +00:00"
  })
  void zonedTimestampsAreToldInUtc(String text, String expected) {
    assertEquals(expected, Timestamps.toUtc(text));
  }

  @Test
  void anyOffsetAndPrecisionNamesTheSameInstant() {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    for (int i = 0; i < 2_000; i++) {
      Instant instant =
          Instant.ofEpochSecond(random.nextLong(-60_000_000_000L, 200_000_000_000L))
              .plusNanos(random.nextInt(1_000_000) * 1000L);
      ZoneOffset offset = ZoneOffset.ofTotalSeconds(60 * random.nextInt(-18 * 60, 18 * 60));
      String text = DateTimeFormatter.ISO_OFFSET_DATE_TIME.format(instant.atOffset(offset));
      String told = Timestamps.toUtc(text);
      String message = "seed " + seed + ": " + text;
      assertEquals(instant, Instant.parse(told), message);
      assertEquals(told, Timestamps.toUtc(told.replace("Z", "+00:00")), message);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "2026-11-30T20:12:31Z, 2026-11-30T20:12:31.000000Z",
    "2026-11-30T20:12:31.1234567Z, 2026-11-30T20:12:31.123456Z",
    "1969-12-31T23:59:59.999999999Z, 1969-12-31T23:59:59.999999Z"
  })
  void occurredHasSixDigits(String instant, String expected) {
    assertEquals(expected, Timestamps.micros(Instant.parse(instant)));
  }
}
