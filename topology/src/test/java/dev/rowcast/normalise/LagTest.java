package dev.rowcast.normalise;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class LagTest {
  private static final Instant START = Instant.parse("2026-11-30T20:12:31Z");

  private final Lag lag = new Lag();

  @Test
  void nothingToDoIsNoLag() {
    assertEquals(Duration.ZERO, look(0, 10, 10));
  }

  @Test
  void theAgeIsThatOfTheOldestRecordThatIsNotDone() {
    assertEquals(Duration.ZERO, look(0, 10, 5));
    assertEquals(Duration.ofSeconds(2), look(2, 20, 5));
    assertEquals(Duration.ofSeconds(2), look(4, 30, 12));
    assertEquals(Duration.ofSeconds(4), look(6, 30, 12));
    assertEquals(Duration.ZERO, look(8, 30, 30));
    assertEquals(Duration.ZERO, look(10, 31, 30));
  }

  @Test
  void aDayOfStandstillIsADayOfLag() {
    for (int i = 0; i < 43_200; i++) {
      look(2L * i, 10 + i, 5);
    }
    assertEquals(Duration.ofDays(1), look(86_400, 100_000, 5));
  }

  @Test
  void aThreadIsReplacedFiveTimesWithinAMinute() {
    RestartBudget budget = new RestartBudget();
    for (int i = 0; i < 5; i++) {
      assertTrue(budget.spend(START.plusSeconds(i)));
    }
    assertFalse(budget.spend(START.plusSeconds(59)));
    assertTrue(budget.spend(START.plusSeconds(60)));
    assertFalse(budget.spend(START.plusSeconds(60)));
  }

  private Duration look(long second, long end, long position) {
    return lag.look(START.plusSeconds(second), end, position);
  }
}
