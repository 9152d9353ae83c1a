package dev.rowcast.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rowcast.event.EventRecord;
import dev.rowcast.fanout.Events;
import java.util.List;
import org.junit.jupiter.api.Test;

class TailTest {

  @Test
  void itServesWhatComesAfterThePositionThatItStartedFrom() {
    Tail tail = new Tail(10, 100, 1 << 20);
    assertEquals(new LogSlice(List.of(), 10), tail.read(10, 5, 1 << 20));
    tail.append(event(12));
    tail.append(event(15));
    assertEquals(List.of(12L, 15L), ids(tail, 10));
    assertEquals(List.of(15L), ids(tail, 12));
    assertEquals(List.of(15L), ids(tail, 13));
    assertNull(tail.read(9, 5, 1 << 20));
  }

  @Test
  void aReadThatReachesTheEndIsPastWhatIsntAnEvent() {
    Tail tail = new Tail(10, 100, 1 << 20);
    tail.append(event(12));
    tail.advance(14);
    assertEquals(14, read(tail, 10).position());
    tail.append(event(15));
    assertEquals(12, assertNotNullSlice(tail.read(10, 1, 1 << 20)).position());
  }

  @Test
  void itForgetsTheOldestByCountAndByBytes() {
    Tail few = new Tail(0, 2, 1 << 20);
    for (int id = 1; id <= 5; id++) {
      few.append(event(id));
    }
    assertEquals(3, few.floor());
    assertEquals(List.of(4L, 5L), ids(few, 3));
    Tail small = new Tail(0, 100, 3_000);
    for (int id = 1; id <= 50; id++) {
      small.append(event(id));
    }
    assertTrue(small.bytes() <= 3_000);
    assertTrue(small.floor() >= 47);
  }

  @Test
  void aReadStopsByCountAndByBytesButNeverBeforeOneEvent() {
    Tail tail = new Tail(0, 100, 1 << 20);
    tail.append(event(1));
    tail.append(event(2));
    assertEquals(1, assertNotNullSlice(tail.read(0, 10, 1)).position());
    assertEquals(1, assertNotNullSlice(tail.read(0, 1, 1 << 20)).position());
  }

  @Test
  void aRestartForgetsAll() {
    Tail tail = new Tail(0, 100, 1 << 20);
    tail.append(event(1));
    tail.restart(50);
    assertNull(tail.read(1, 1, 1));
    assertEquals(0, tail.bytes());
    assertEquals(new LogSlice(List.of(), 50), tail.read(50, 1, 1));
  }

  private static List<Long> ids(Tail tail, long after) {
    return read(tail, after).events().stream().map(EventRecord::id).toList();
  }

  private static LogSlice read(Tail tail, long after) {
    return assertNotNullSlice(tail.read(after, 100, 1 << 20));
  }

  private static LogSlice assertNotNullSlice(LogSlice slice) {
    assertNotNull(slice);
    return slice;
  }

  private static EventRecord event(long id) {
    return Events.at(id, Events.insert(Events.ORDERS, id, "{\"id\":" + id + "}"));
  }
}
