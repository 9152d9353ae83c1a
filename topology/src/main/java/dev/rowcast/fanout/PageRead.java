package dev.rowcast.fanout;

import dev.rowcast.event.EventRecord;
import dev.rowcast.frame.Frames;
import dev.rowcast.log.LogSlice;
import dev.rowcast.log.TruncatedException;
import dev.rowcast.problem.ProblemException;
import dev.rowcast.problem.ProblemType;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * One page. It is read on the feed's reading threads; where nothing visible is there yet, it waits
 * as a subscriber does, without a thread, and reads again. Runs on one thread at a time.
 */
final class PageRead {
  private static final int READ_EVENTS = 500;
  private static final int READ_BYTES = 256 << 10;
  // a page that finds nothing in so many answers with how far it came
  private static final int MAX_SCANNED = 50_000;
  private static final int MAX_EMPTY_READS = 50;

  private final LiveFeed feed;
  private final Matcher matcher;
  private final int limit;
  private final int maxBytes;
  private final long deadline;
  private final CompletableFuture<Page> result = new CompletableFuture<>();
  private long position;

  PageRead(LiveFeed feed, Audience audience, long after, int limit, int maxBytes, long waitNanos) {
    this.feed = feed;
    this.matcher = feed.matcher(audience);
    this.position = after;
    this.limit = limit;
    this.maxBytes = maxBytes;
    this.deadline = System.nanoTime() + waitNanos;
  }

  CompletableFuture<Page> start() {
    feed.read(this::run);
    return result;
  }

  private void run() {
    try {
      Page page = scan();
      long left = deadline - System.nanoTime();
      if (!page.events().isEmpty() || page.hasMore() || left <= 0) {
        result.complete(page);
      } else {
        await(left);
      }
    } catch (TruncatedException e) {
      result.completeExceptionally(expired());
    } catch (RuntimeException e) {
      result.completeExceptionally(e);
    }
  }

  private RuntimeException expired() {
    try {
      return feed.expired(feed.log().range());
    } catch (RuntimeException e) {
      return e;
    }
  }

  private Page scan() throws TruncatedException {
    List<byte[]> events = new ArrayList<>();
    int scanned = 0;
    int bytes = 0;
    int empty = 0;
    while (events.size() < limit && scanned < MAX_SCANNED && position < feed.position()) {
      LogSlice slice = feed.read(position, READ_EVENTS, READ_BYTES);
      for (EventRecord event : slice.events()) {
        byte[] json = events.size() == limit ? CUT : json(event);
        if (json == CUT || (json != null && !events.isEmpty() && bytes + json.length > maxBytes)) {
          return new Page(events, position, true);
        }
        position = event.id();
        if (json != null) {
          events.add(json);
          bytes += json.length;
        }
      }
      empty = slice.position() == position && slice.events().isEmpty() ? empty + 1 : 0;
      if (empty > MAX_EMPTY_READS) {
        throw new ProblemException(ProblemType.UNAVAILABLE, "Kafka gives no events");
      }
      position = Math.max(position, slice.position());
      scanned += slice.events().size();
    }
    return new Page(events, position, position < feed.position());
  }

  private static final byte[] CUT = {};

  private byte @Nullable [] json(EventRecord event) {
    Matcher.Access access = matcher.access(event.table());
    if (access == null) {
      return null;
    }
    Verdict verdict = matcher.judge(access, event, new OldRow(event));
    if (verdict == Verdict.HIDDEN) {
      return null;
    }
    try {
      return Frames.json(access.renderer(), event, verdict == Verdict.LEFT);
    } catch (RuntimeException e) {
      feed.failed(event, e);
      return null;
    }
  }

  /** Until something visible is there or the time is over, whichever is first. */
  private void await(long nanos) {
    AtomicBoolean over = new AtomicBoolean();
    Waiting waiting = new Waiting(over);
    waiting.subscription =
        feed.subscribeAfter(matcher.audience(), FrameShape.EVENT, position, waiting);
    waiting.timeout = feed.later(waiting::timeOut, nanos, TimeUnit.NANOSECONDS);
    waiting.run(); // arms it; and what came in between is seen
  }

  private final class Waiting implements Runnable {
    private final AtomicBoolean over;
    private volatile @Nullable Subscription subscription;
    private volatile @Nullable Future<?> timeout;

    Waiting(AtomicBoolean over) {
      this.over = over;
    }

    /** The subscription's wakeup. */
    @Override
    public void run() {
      feed.read(this::look);
    }

    private synchronized void look() {
      Subscription waiting = subscription;
      if (over.get() || waiting == null) {
        return;
      }
      if (waiting.next(Subscription.Packing.SINGLE, 1) instanceof Subscription.Idle) {
        return;
      }
      if (end(waiting)) {
        PageRead.this.run();
      }
    }

    private void timeOut() {
      Subscription waiting = subscription;
      if (waiting != null) {
        long reached = waiting.position();
        if (end(waiting)) {
          result.complete(new Page(List.of(), Math.max(position, reached), false));
        }
      }
    }

    private boolean end(Subscription waiting) {
      if (!over.compareAndSet(false, true)) {
        return false;
      }
      waiting.close();
      Future<?> timer = timeout;
      if (timer != null) {
        timer.cancel(false);
      }
      return true;
    }
  }
}
