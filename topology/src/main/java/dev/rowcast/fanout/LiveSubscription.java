package dev.rowcast.fanout;

import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import org.jspecify.annotations.Nullable;

/**
 * A subscriber: a position and, once it has caught up, a pointer to the frame it read last.
 *
 * <p>One thread at a time calls {@link #next}; the append thread may take {@code node} away from
 * one that lags; a reading thread moves the position while history holds nothing for the reader,
 * and then {@code next} doesn't touch it.
 */
final class LiveSubscription implements Subscription {
  private static final AtomicReferenceFieldUpdater<LiveSubscription, @Nullable FrameNode> NODE =
      AtomicReferenceFieldUpdater.newUpdater(LiveSubscription.class, FrameNode.class, "node");

  private final LiveFeed feed;
  private final AudienceLog log;
  private final Runnable wakeup;
  private volatile long position;
  private volatile @Nullable FrameNode node;
  private volatile @Nullable History history;
  // what was suppressed since the last frame, once the node that tells is gone
  private volatile long nothingUpTo = -1;
  private volatile boolean parked;
  private volatile boolean closed;

  LiveSubscription(LiveFeed feed, AudienceLog log, long position, Runnable wakeup) {
    this.feed = feed;
    this.log = log;
    this.position = position;
    this.wakeup = wakeup;
  }

  AudienceLog log() {
    return log;
  }

  Runnable wakeup() {
    return wakeup;
  }

  boolean closed() {
    return closed;
  }

  /** Under the append lock: from now on the log's frames are read from here. */
  void attach(FrameNode tail) {
    node = tail;
  }

  /** Before it is handed out: what comes after its position is read from history first. */
  void readHistory() {
    history = new History(feed, this, position);
  }

  @Override
  public Next next(Packing packing, int maxBytes) {
    if (closed) {
      return Idle.INSTANCE;
    }
    History reading = history;
    if (reading != null) {
      Next next = reading.next(maxBytes);
      if (next != null) {
        return next;
      }
      history = null;
    }
    return live(packing, maxBytes);
  }

  private Next live(Packing packing, int maxBytes) {
    FrameNode at = node;
    FrameNode first = at == null ? null : at.after(position);
    if (at != null && first == null) {
      parked = true;
      first = at.after(position);
      if (first == null && node != null) {
        return Idle.INSTANCE;
      }
      parked = false;
    }
    if (at == null || first == null) {
      return catchUp(maxBytes);
    }
    return packing == Packing.SINGLE ? frames(at, first, maxBytes) : batch(at, first, maxBytes);
  }

  /** It lagged too far: what it missed is read from history. */
  private Next catchUp(int maxBytes) {
    feed.metrics().fellBehind();
    moveTo(nothingUpTo);
    History reading = new History(feed, this, position);
    history = reading;
    Next next = reading.next(maxBytes);
    return next == null ? Idle.INSTANCE : next;
  }

  private Next frames(FrameNode at, FrameNode first, int maxBytes) {
    FrameNode last = first;
    long size = first.frame.bytes().length;
    for (FrameNode more = first.next; more != null; more = more.next) {
      long grown = size + more.frame.bytes().length;
      if (grown > maxBytes) {
        break;
      }
      size = grown;
      last = more;
    }
    moveTo(at, last);
    if (first == last) {
      return new Frames(readOnly(first.frame.bytes()), last.frame.id());
    }
    return new Frames(readOnly(joined(at, first, last, (int) size)), last.frame.id());
  }

  /** Many who are at one place want the same bytes: the last ones to be joined are kept. */
  private byte[] joined(FrameNode at, FrameNode first, FrameNode last, int size) {
    AudienceLog.Joined known = log.joined();
    if (known != null && known.from() == at && known.to() == last && known.bytes().length == size) {
      return known.bytes();
    }
    byte[] bytes = new byte[size];
    int length = 0;
    FrameNode node = first;
    while (length < size && node != null) {
      byte[] frame = node.frame.bytes();
      System.arraycopy(frame, 0, bytes, length, frame.length);
      length += frame.length;
      node = node.next;
    }
    log.share(new AudienceLog.Joined(at, last, bytes));
    return bytes;
  }

  private Next batch(FrameNode at, FrameNode first, int maxBytes) {
    if (log.key().shape() == FrameShape.ROW) {
      return frames(at, first, maxBytes);
    }
    var batch = feed.frames().batch();
    FrameNode last = first;
    batch.add(first.frame);
    for (FrameNode more = first.next; more != null; more = more.next) {
      if (batch.size() + more.frame.bytes().length > maxBytes) {
        break;
      }
      batch.add(more.frame);
      last = more;
    }
    moveTo(at, last);
    return new Frames(readOnly(batch.end(last.frame.id())), last.frame.id());
  }

  private void moveTo(FrameNode from, FrameNode to) {
    position = to.frame.id();
    NODE.compareAndSet(this, from, to); // else it was taken away: what was read stays read
  }

  private static ByteBuffer readOnly(byte[] bytes) {
    return ByteBuffer.wrap(bytes).asReadOnlyBuffer();
  }

  /** The reading thread, while {@link #next} has nothing to hand out; or {@link #next} itself. */
  void moveTo(long further) {
    position = Math.max(position, further);
  }

  /**
   * The append thread: what this reader holds; null for nothing. One that is behind {@code least},
   * in bytes of its log, loses its place.
   */
  @Nullable FrameNode held(long least) {
    FrameNode at = node;
    if (at == null || at.end >= least) {
      return at;
    }
    if (history == null) { // else there is something before its place in the log
      nothingUpTo = nothingAfter(at, nothingUpTo);
    }
    return NODE.compareAndSet(this, at, null) ? null : at;
  }

  /** The append thread: its place is lost; the feed was at {@code read}. */
  void detach(long read) {
    FrameNode at = node;
    if (at != null) {
      if (history == null) {
        nothingUpTo = nothingAfter(at, read);
      }
      node = null;
    }
    parked = false;
    Wakeups.call(wakeup);
  }

  /** Up to where there is nothing for this reader after a node, given how far the feed is. */
  private long nothingAfter(FrameNode at, long read) {
    FrameNode first = at.after(position);
    return first == null ? read : first.frame.id() - 1;
  }

  void wakeIfParked() {
    if (parked) {
      parked = false;
      Wakeups.call(wakeup);
    }
  }

  @Override
  public long position() {
    // in this order: what is linked before the feed's position moves is seen here
    long read = feed.position();
    FrameNode at = node;
    boolean live = at != null && history == null;
    long passed = live ? nothingAfter(at, read) : nothingUpTo;
    return Math.max(position, passed);
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      node = null;
      history = null;
      feed.unsubscribe(this);
    }
  }
}
