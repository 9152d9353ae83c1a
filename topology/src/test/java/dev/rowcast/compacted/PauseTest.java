package dev.rowcast.compacted;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class PauseTest {
  @Test
  void doublesUpToFiveSecondsAndStartsAgainAfterSuccess() {
    Pause pause = new Pause();

    assertEquals(Duration.ofMillis(100), pause.next());
    assertEquals(Duration.ofMillis(200), pause.next());
    for (int i = 0; i < 10; i++) {
      pause.next();
    }
    assertEquals(Duration.ofSeconds(5), pause.next());

    pause.reset();
    assertEquals(Duration.ofMillis(100), pause.next());
  }
}
