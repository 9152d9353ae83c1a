package dev.rowcast.fanout;

import dev.rowcast.cursor.Cursor;
import dev.rowcast.event.EventRecord;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * The outbox as the edge sees it: one ordered feed of events with a retained range, from which
 * anybody reads at their own position. Positions are event ids: the position after an event is its
 * id. Thread-safe.
 */
public interface EventFeed {

  /** The incarnation of the outbox: what stands after the dot in cursors. */
  String epoch();

  /** How far this node has read; everything up to it is delivered or suppressed. */
  long position();

  /**
   * The retained range as the broker has it now, read-committed. Asks the broker: may take
   * milliseconds, and seconds where it doesn't answer.
   *
   * @throws dev.rowcast.problem.ProblemException {@code UNAVAILABLE} where it doesn't answer in
   *     time
   */
  Range range();

  /**
   * The position that a cursor means. Asks the broker only where this node can't tell by itself.
   *
   * @throws dev.rowcast.problem.ProblemException {@code CURSOR_EXPIRED} or {@code CURSOR_UNKNOWN},
   *     with {@code oldestCursor} and {@code latestCursor}; {@code UNAVAILABLE}
   */
  long resolve(Cursor cursor);

  /**
   * Subscribes to what comes from now on. The subscription's position is where it starts; nothing
   * after it is lost.
   *
   * @param wakeup called when {@link Subscription#next} may have something again: often, from any
   *     thread, and it must not block
   */
  Subscription subscribeLive(Audience audience, FrameShape shape, Runnable wakeup);

  /**
   * Subscribes to all that comes after a position: history in batches, then what comes, without a
   * loss or a double at the seam.
   *
   * @param after a position that {@link #resolve} gave
   */
  Subscription subscribeAfter(Audience audience, FrameShape shape, long after, Runnable wakeup);

  /**
   * Reads one page after a position. Completes on a thread of the feed: don't block it.
   *
   * @param after a position that {@link #resolve} gave
   * @param limit the most events, {@code >= 1}
   * @param maxBytes where the page is cut; at least one event is delivered however large it is
   * @param wait how long to wait until there is something visible; zero to answer at once
   */
  CompletableFuture<Page> page(
      Audience audience, long after, int limit, int maxBytes, Duration wait);

  /**
   * Reads what stands after a position, of every table and unfiltered: for those who judge events,
   * never to be handed on as it is. Blocks while the broker is asked, but not until it has said
   * something: nothing read and the position where it was means that there may be more.
   *
   * @param after a position that {@link #resolve} gave, or one that {@code scan} reached
   * @param maxEvents the most events, {@code >= 1}
   * @param maxBytes where to stop; at least one event is read however large it is
   * @throws dev.rowcast.problem.ProblemException {@code CURSOR_EXPIRED} where what comes after the
   *     position is no longer retained; {@code UNAVAILABLE}
   */
  Scanned scan(long after, int maxEvents, int maxBytes);

  /**
   * Consecutive events.
   *
   * @param events in order; may be empty where there is nothing but markers
   * @param position up to where was read
   */
  record Scanned(List<EventRecord> events, long position) {
    public Scanned {
      events = List.copyOf(events);
    }
  }

  /**
   * What is retained.
   *
   * @param oldest the position before the oldest retained event
   * @param latest the position after the newest committed one
   */
  record Range(long oldest, long latest) {}
}
