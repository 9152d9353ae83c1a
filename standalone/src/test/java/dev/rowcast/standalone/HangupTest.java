package dev.rowcast.standalone;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;

class HangupTest {
  @Test
  @DisabledOnOs(OS.WINDOWS)
  void aHangupRunsTheActionAndEndsNothing() throws Exception {
    CountDownLatch heard = new CountDownLatch(2);
    Hangup.runs(heard::countDown);
    for (int i = 1; i >= 0; i--) {
      String pid = Long.toString(ProcessHandle.current().pid());
      assertEquals(0, new ProcessBuilder("kill", "-HUP", pid).start().waitFor());
      long left = i;
      org.awaitility.Awaitility.await().until(() -> heard.getCount() <= left);
    }
    assertTrue(heard.await(1, TimeUnit.SECONDS));
  }
}
