package dev.rowcast.fanout;

import dev.rowcast.event.EventRecord;
import dev.rowcast.log.EventLog;
import dev.rowcast.log.LogRange;
import dev.rowcast.log.LogSlice;
import dev.rowcast.log.TruncatedException;
import dev.rowcast.problem.ProblemException;
import dev.rowcast.problem.ProblemType;
import java.util.ArrayList;
import java.util.List;

/** An outbox in memory: what is committed is what was added. */
final class MemoryLog implements EventLog {
  private final List<EventRecord> events = new ArrayList<>();
  private long oldest;
  private long end;
  private int failures;
  private int reads;

  /** Commits an event. */
  synchronized void add(EventRecord event) {
    events.add(event);
    end = Math.max(end, event.id());
  }

  /** A marker or the like: a position without an event. */
  synchronized void skipTo(long position) {
    end = Math.max(end, position);
  }

  synchronized void truncate(long before) {
    oldest = before;
    events.removeIf(event -> event.id() <= before);
  }

  /** The next reads fail. */
  synchronized void fail(int times) {
    failures = times;
  }

  synchronized int reads() {
    return reads;
  }

  @Override
  public String epoch() {
    return "e1";
  }

  @Override
  public synchronized LogRange range() {
    return new LogRange(oldest, end, end);
  }

  @Override
  public synchronized LogSlice read(long after, int maxEvents, int maxBytes)
      throws TruncatedException {
    reads++;
    if (failures > 0) {
      failures--;
      throw new ProblemException(ProblemType.UNAVAILABLE, "told to fail");
    }
    if (after < oldest) {
      throw new TruncatedException(after);
    }
    List<EventRecord> slice = new ArrayList<>();
    int at = first(after);
    int bytes = 0;
    while (at < events.size() && slice.size() < maxEvents && (bytes < maxBytes || bytes == 0)) {
      EventRecord event = events.get(at++);
      bytes += event.event().end();
      slice.add(event);
    }
    long read = at == events.size() ? end : slice.get(slice.size() - 1).id();
    return new LogSlice(slice, Math.max(after, read));
  }

  private int first(long after) {
    int low = 0;
    int high = events.size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (events.get(middle).id() > after) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return low;
  }

  @Override
  public void close() {}
}
