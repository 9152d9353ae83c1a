package dev.rowcast.standalone;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class PartsTest {
  private final List<String> stopped = Collections.synchronizedList(new ArrayList<>());

  @Test
  void whatNeedsOthersStopsBeforeThemAlsoWhenSomeCannot() {
    Parts parts = new Parts();
    parts.add(part("first"));
    parts.addBeside(
        () -> {
          throw new IllegalStateException("can't");
        });
    parts.add(part("last"));
    parts.close();
    assertEquals(List.of("last", "first"), stopped);
    parts.close();
    assertEquals(2, stopped.size());
  }

  @Test
  void whatDoesNotNeedEachOtherStopsAtTheSameTime() {
    Parts parts = new Parts();
    CyclicBarrier both = new CyclicBarrier(2);
    parts.add(part("below"));
    // neither gets past the barrier before the other one is there
    parts.add(meeting(both, "one"));
    parts.addBeside(meeting(both, "other"));
    parts.close();
    assertTrue(stopped.subList(0, 2).containsAll(List.of("one", "other")), stopped.toString());
    assertEquals("below", stopped.get(2));
  }

  private AutoCloseable part(String name) {
    return () -> stopped.add(name);
  }

  private AutoCloseable meeting(CyclicBarrier barrier, String name) {
    return () -> {
      barrier.await(30, TimeUnit.SECONDS);
      stopped.add(name);
    };
  }
}
