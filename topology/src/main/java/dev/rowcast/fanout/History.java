package dev.rowcast.fanout;

import dev.rowcast.event.EventRecord;
import dev.rowcast.event.JsonBytes;
import dev.rowcast.fanout.Subscription.Frames;
import dev.rowcast.fanout.Subscription.Gap;
import dev.rowcast.fanout.Subscription.Idle;
import dev.rowcast.fanout.Subscription.Next;
import dev.rowcast.frame.Frames.Batch;
import dev.rowcast.log.LogRange;
import dev.rowcast.log.LogSlice;
import dev.rowcast.log.TruncatedException;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * How one subscriber catches up. A chunk at a time is read on the feed's reading threads, and only
 * when the one before is handed out. Once what is left is in memory the subscriber is joined to its
 * audience's log at a position of the feed; history then goes up to exactly there.
 *
 * <p>Threads: {@code loading} says who may touch the fields that aren't volatile: the reading
 * thread while it is set.
 */
final class History {
  private static final int TURN_EVENTS = 2_000; // then others have their turn
  private static final int READ_EVENTS = 500;
  private static final int LEAST_BYTES = 4_096;
  private static final long NOT_JOINED = -1;

  private final LiveFeed feed;
  private final LiveSubscription subscription;
  private final AtomicBoolean loading = new AtomicBoolean();
  private volatile @Nullable Next ready;
  private volatile boolean done;
  private long scanned;
  private long joinedAt = NOT_JOINED;
  private int maxBytes;

  History(LiveFeed feed, LiveSubscription subscription, long after) {
    this.feed = feed;
    this.subscription = subscription;
    this.scanned = after;
  }

  /** What there is to write; null once all of history was handed out. */
  @Nullable Next next(int maxBytes) {
    boolean last = done; // before ready: what is ready when it is set is seen below
    Next next = ready;
    if (next instanceof Gap) {
      return next;
    }
    if (next != null) {
      ready = null;
      subscription.moveTo(((Frames) next).position());
      return next;
    }
    if (last) {
      return null;
    }
    if (loading.compareAndSet(false, true)) {
      if (ready != null || done) { // it ended just now
        loading.set(false);
        return next(maxBytes);
      }
      this.maxBytes = Math.max(LEAST_BYTES, maxBytes);
      feed.read(this::turn);
    }
    return Idle.INSTANCE;
  }

  private void turn() {
    if (subscription.closed()) {
      return;
    }
    try {
      if (!load()) {
        feed.read(this::turn);
        return;
      }
    } catch (TruncatedException e) {
      if (!gap()) {
        return;
      }
    } catch (RuntimeException e) {
      feed.readLater(this::turn, e);
      return;
    }
    loading.set(false);
    Wakeups.call(subscription.wakeup());
  }

  /** Whether it was known what to say; else it is tried again. */
  private boolean gap() {
    try {
      LogRange range = feed.log().range();
      feed.metrics().gap();
      ready =
          new Gap(
              "what comes after the position is no longer retained",
              range.oldest(),
              range.latest());
      return true;
    } catch (RuntimeException e) {
      feed.readLater(this::turn, e);
      return false;
    }
  }

  /** Reads for one turn; whether there is something to hand out, or nothing more to read. */
  private boolean load() throws TruncatedException {
    Output out = new Output();
    long position = scanned;
    int events = 0;
    boolean end = false;
    while (out.size() < maxBytes && events < TURN_EVENTS) {
      if (joinedAt == NOT_JOINED && feed.inMemory(position)) {
        joinedAt = feed.join(subscription, position);
      }
      if (joinedAt != NOT_JOINED && position >= joinedAt) {
        end = true;
        break;
      }
      LogSlice slice = feed.read(position, READ_EVENTS, Math.max(1, maxBytes - out.size()));
      events += Math.max(1, slice.events().size());
      for (EventRecord event : slice.events()) {
        if (joinedAt == NOT_JOINED || event.id() <= joinedAt) {
          out.add(event);
        }
      }
      long read = slice.position();
      position = joinedAt == NOT_JOINED ? read : Math.min(read, joinedAt);
    }
    feed.metrics().history(events);
    scanned = position;
    if (out.size() > 0) {
      ready = new Frames(ByteBuffer.wrap(out.end(position)).asReadOnlyBuffer(), position);
    } else {
      subscription.moveTo(position);
    }
    done = end;
    return end || out.size() > 0;
  }

  /** The frames of a chunk: one batch, or rows one by one. */
  private final class Output {
    private final AudienceLog log = subscription.log();
    private final @Nullable Batch batch =
        log.key().shape() == FrameShape.EVENT ? feed.frames().batch() : null;
    private final JsonBytes rows = new JsonBytes(batch == null ? 1024 : 0);

    void add(EventRecord event) {
      Matcher.Access access = log.matcher().access(event.table());
      if (access == null) {
        return;
      }
      Verdict verdict = log.matcher().judge(access, event, new OldRow(event));
      if (verdict == Verdict.HIDDEN) {
        return;
      }
      boolean left = verdict == Verdict.LEFT;
      try {
        if (batch != null) {
          batch.add(access.renderer(), event, left);
        } else {
          rows.raw(feed.frames().row(access.renderer(), event, left).bytes());
        }
      } catch (RuntimeException e) {
        feed.failed(event, e);
      }
    }

    int size() {
      return batch == null ? rows.size() : batch.size();
    }

    byte[] end(long position) {
      return batch == null ? rows.toByteArray() : batch.end(position);
    }
  }
}
