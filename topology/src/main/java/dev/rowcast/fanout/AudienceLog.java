package dev.rowcast.fanout;

import dev.rowcast.frame.Frame;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * The frames of one audience in one shape, and who reads them. The tail is written under the feed's
 * append lock; the set of subscribers is guarded by this object's monitor.
 */
final class AudienceLog implements TableIndex.Member {
  private static final LiveSubscription[] NONE = {};

  /** What makes subscribers share a log. */
  record Key(Audience audience, FrameShape shape) {}

  private final Key key;
  private final Matcher matcher;
  private final Set<LiveSubscription> subscribers = new LinkedHashSet<>();
  private LiveSubscription @Nullable [] snapshot = NONE;
  private final AtomicBoolean dirty = new AtomicBoolean();
  private FrameNode tail = FrameNode.first();
  private long floorEnd;
  private long floorCost;
  private volatile @Nullable Joined joined;

  AudienceLog(Key key, Matcher matcher) {
    this.key = key;
    this.matcher = matcher;
  }

  /**
   * Frames in one buffer, kept for others at the same place.
   *
   * @param from the node before the first
   * @param to the last node
   */
  @SuppressWarnings("ArrayRecordComponent") // shared bytes, never compared
  record Joined(FrameNode from, FrameNode to, byte[] bytes) {}

  Key key() {
    return key;
  }

  @Override
  public Matcher matcher() {
    return matcher;
  }

  FrameNode tail() {
    return tail;
  }

  /** Under the append lock: links a frame; answers by how much {@link #cost} has grown. */
  long append(Frame frame, boolean shared) {
    long before = tail.cost;
    tail = tail.append(frame, shared);
    return tail.cost - before;
  }

  /** Under the append lock: how far the last reader may be behind, in bytes at most. */
  long lag() {
    return tail.end - floorEnd;
  }

  /** Under the append lock: an upper bound of the memory that readers hold, in bytes. */
  long cost() {
    return tail.cost - floorCost;
  }

  /**
   * Under the append lock: lets go of readers that are more than {@code bound} behind, so that what
   * they held can be collected. They read on from the log.
   */
  void letGo(long bound) {
    FrameNode lowest = tail;
    for (LiveSubscription subscriber : subscribers()) {
      FrameNode at = subscriber.held(tail.end - bound);
      if (at != null && at.end < lowest.end) {
        lowest = at;
      }
    }
    floorEnd = lowest.end;
    floorCost = lowest.cost;
    joined = null;
  }

  /** Whether it has become dirty by this call. */
  boolean markDirty() {
    return !dirty.get() && dirty.compareAndSet(false, true);
  }

  void clean() {
    dirty.set(false);
  }

  @Nullable Joined joined() {
    return joined;
  }

  void share(Joined frames) {
    joined = frames;
  }

  synchronized void add(LiveSubscription subscriber) {
    subscribers.add(subscriber);
    snapshot = null;
  }

  /** Whether nobody is left. */
  synchronized boolean remove(LiveSubscription subscriber) {
    if (subscribers.remove(subscriber)) {
      snapshot = null;
    }
    return subscribers.isEmpty();
  }

  /** Who reads it now: not to be written to. */
  synchronized LiveSubscription[] subscribers() {
    LiveSubscription[] all = snapshot;
    if (all == null) {
      all = subscribers.toArray(NONE);
      snapshot = all;
    }
    return all;
  }
}
