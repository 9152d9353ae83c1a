package dev.rowcast.log;

import dev.rowcast.event.EventRecord;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The newest events, parsed, in memory: a ring bounded by count and bytes. Whoever is a little
 * behind reads from here instead of asking the broker. One thread at a time appends; any thread
 * reads; both hold the ring's monitor for as long as references are copied.
 */
public final class Tail {
  // what a parsed event costs beside its bytes: views and their slices
  private static final int OVERHEAD = 1024;

  private final @Nullable EventRecord[] ring;
  private final long maxBytes;
  private long bytes;
  private long first; // sequence numbers, not positions
  private long next;
  private long floor;
  private long position;

  /**
   * @param position everything after it will be appended
   * @param maxEvents how many events are kept at most; {@code >= 1}
   * @param maxBytes about how much memory they take at most
   */
  public Tail(long position, int maxEvents, long maxBytes) {
    this.ring = new EventRecord[maxEvents];
    this.maxBytes = maxBytes;
    this.floor = position;
    this.position = position;
  }

  public synchronized void append(EventRecord event) {
    if (next - first == ring.length) {
      evict();
    }
    ring[slot(next++)] = event;
    position = event.id();
    bytes += size(event);
    while (bytes > maxBytes && next - first > 1) {
      evict();
    }
  }

  /** Forgets everything: the next event comes after {@code position}. */
  public synchronized void restart(long position) {
    while (first < next) {
      evict();
    }
    this.floor = position;
    this.position = position;
  }

  /** There is nothing up to a position: what stands there isn't an event. */
  public synchronized void advance(long position) {
    this.position = Math.max(this.position, position);
  }

  /** The lowest position that can be read on from. */
  public synchronized long floor() {
    return floor;
  }

  public synchronized long bytes() {
    return bytes;
  }

  /**
   * Reads on after a position.
   *
   * @return null where what comes next is no longer here
   */
  public synchronized @Nullable LogSlice read(long after, int maxEvents, int maxBytes) {
    if (after < floor) {
      return null;
    }
    List<EventRecord> events = new ArrayList<>();
    long read = after;
    long size = 0;
    long at = search(after);
    for (; at < next && events.size() < maxEvents; at++) {
      EventRecord event = at(at);
      size += length(event);
      if (size > maxBytes && !events.isEmpty()) {
        break;
      }
      events.add(event);
      read = event.id();
    }
    return new LogSlice(events, at == next ? Math.max(read, position) : read);
  }

  /** The sequence number of the first event after a position. */
  private long search(long after) {
    long low = first;
    long high = next;
    while (low < high) {
      long middle = (low + high) >>> 1;
      if (at(middle).id() > after) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return low;
  }

  private void evict() {
    EventRecord event = at(first);
    ring[slot(first++)] = null;
    bytes -= size(event);
    floor = event.id();
  }

  private EventRecord at(long sequence) {
    EventRecord event = ring[slot(sequence)];
    if (event == null) {
      throw new IllegalStateException("slot of " + sequence + ": empty");
    }
    return event;
  }

  private int slot(long sequence) {
    return (int) (sequence % ring.length);
  }

  private static int length(EventRecord event) {
    return event.event().end() - event.event().start();
  }

  private static long size(EventRecord event) {
    var before = event.before();
    return (long) length(event) + OVERHEAD + (before == null ? 0 : before.end() - before.start());
  }
}
