package dev.rowcast.fanout;

import dev.rowcast.catalog.Catalog;
import dev.rowcast.cursor.Cursor;
import dev.rowcast.event.EventRecord;
import dev.rowcast.event.TableId;
import dev.rowcast.frame.Frame;
import dev.rowcast.frame.Frames;
import dev.rowcast.log.EventLog;
import dev.rowcast.log.LogRange;
import dev.rowcast.log.LogSlice;
import dev.rowcast.log.Tail;
import dev.rowcast.log.TruncatedException;
import dev.rowcast.policy.lookup.RowIndexes;
import dev.rowcast.problem.Problem;
import dev.rowcast.problem.ProblemException;
import dev.rowcast.problem.ProblemType;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The feed of one node. {@link #append} gives it each event once, in order; it is matched against
 * all audiences and framed once for each that gets it.
 *
 * <p>Threads: one thread at a time appends, holding the append lock; subscribing, joining after
 * history and closing take the same lock for a moment, so that a position and a place in an
 * audience's log always belong together. Reading live frames takes no lock. History and pages are
 * read on a few reading threads; subscribers are woken on one more.
 */
public final class LiveFeed implements EventFeed, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(LiveFeed.class);

  private final EventLog log;
  private final Catalog catalog;
  private final RowIndexes lookups;
  private final TypesSeen types;
  private final FeedSettings settings;
  private final Frames frames;
  private final Renderers renderers = new Renderers();
  private final FeedMetrics metrics;
  private final Tail tail;
  private final Wakeups wakeups;
  private final Readers readers;
  private final ReentrantLock appending = new ReentrantLock();
  // guarded by the append lock
  private final Map<AudienceLog.Key, AudienceLog> audiences = new HashMap<>();
  private final Map<TableId, Indexed> tables = new HashMap<>();
  private final Framing framing;
  private long held;
  private volatile long position;

  /** The audiences of a table, and the descriptors that their access was derived from. */
  private record Indexed(TypesSeen.Of seen, TableIndex<AudienceLog> audiences) {}

  /**
   * @param log the outbox at the broker; closed with the feed
   * @param catalog what is captured, for the types of columns
   * @param position everything after it will be appended
   * @param lookups the rows that rules ask for, as they are at {@code position}; they follow what
   *     is appended
   */
  public LiveFeed(
      EventLog log,
      Catalog catalog,
      long position,
      FeedSettings settings,
      MeterRegistry registry,
      RowIndexes lookups) {
    this.log = log;
    this.catalog = catalog;
    this.lookups = lookups;
    this.types = new TypesSeen(catalog, lookups.tables());
    this.settings = settings;
    this.position = position;
    this.frames = new Frames(log.epoch());
    this.framing = new Framing(frames);
    this.metrics = new FeedMetrics(registry);
    this.tail = new Tail(position, settings.tailEvents(), settings.tailBytes());
    this.wakeups = new Wakeups("rowcast-wakeups");
    this.readers = new Readers(settings.readers());
    FeedMetrics.gauge(
        registry, "rowcast.feed.position", "How far this node has read", this, LiveFeed::position);
    FeedMetrics.gauge(
        registry, "rowcast.feed.audiences", "Audiences", this, f -> f.locked(f.audiences::size));
    FeedMetrics.gauge(
        registry, "rowcast.feed.subscribers", "Subscribers", this, feed -> feed.subscriberCount());
    FeedMetrics.gauge(
        registry,
        "rowcast.feed.held.bytes",
        "What readers hold",
        this,
        f -> f.locked(() -> f.held));
    FeedMetrics.gauge(
        registry, "rowcast.feed.tail.bytes", "The tail in memory", this, f -> f.tail.bytes());
  }

  /** Takes the next event; one that was taken already is ignored. Never waits for readers. */
  public void append(EventRecord event) {
    appending.lock();
    try {
      if (event.id() <= position) {
        return;
      }
      // first: the change itself is judged by the rows as it leaves them
      lookups.apply(event.table(), event.rowKey(), event.data());
      index(event.table())
          .match(event, (to, access, verdict) -> deliver(event, to, access, verdict));
      tail.append(event);
      position = event.id(); // last: whoever sees it finds the frames linked
    } finally {
      appending.unlock();
    }
    metrics.event();
    wakeups.signal();
  }

  /** There is no event up to a position: what stood there wasn't one. */
  public void advance(long to) {
    appending.lock();
    try {
      tail.advance(to);
      position = Math.max(position, to);
    } finally {
      appending.unlock();
    }
  }

  /**
   * This node couldn't go on where it was: the next event comes after {@code to}. Every reader
   * reads on from the broker at its own position, and is told where that is no longer possible.
   */
  public void restart(long to) {
    appending.lock();
    try {
      long before = position;
      tail.restart(to);
      position = to;
      for (AudienceLog audience : audiences.values()) {
        for (LiveSubscription subscriber : audience.subscribers()) {
          subscriber.detach(before);
        }
      }
    } finally {
      appending.unlock();
    }
  }

  private void deliver(EventRecord event, AudienceLog to, Matcher.Access access, Verdict verdict) {
    Frame frame;
    try {
      boolean left = verdict == Verdict.LEFT;
      frame = framing.frame(event, access.renderer(), to.key().shape(), left);
    } catch (RuntimeException e) {
      failed(event, e);
      return;
    }
    held += to.append(frame, framing.again());
    metrics.frame();
    if (to.lag() > settings.lagBytes()) {
      letGo(to, settings.lagBytes() / 2);
    } else if (held > settings.totalLagBytes()) {
      letGoOfAll();
    }
    wakeups.of(to);
  }

  private void letGo(AudienceLog audience, long bound) {
    long before = audience.cost();
    audience.letGo(bound);
    held -= before - audience.cost();
  }

  /** Each audience that holds something may keep its share of half of what all may. */
  private void letGoOfAll() {
    long holding = audiences.values().stream().filter(audience -> audience.cost() > 0).count();
    long share = settings.totalLagBytes() / 2 / Math.max(1, holding);
    audiences.values().forEach(audience -> letGo(audience, share));
  }

  private TableIndex<AudienceLog> index(TableId table) {
    Indexed indexed = tables.get(table);
    if (indexed == null || types.differ(indexed.seen())) {
      indexed = new Indexed(types.of(table), new TableIndex<>());
      tables.put(table, indexed);
      for (AudienceLog audience : audiences.values()) {
        addTo(indexed.audiences(), table, audience);
      }
    }
    return indexed.audiences();
  }

  private static void addTo(TableIndex<AudienceLog> index, TableId table, AudienceLog audience) {
    Matcher.Access access = audience.matcher().access(table);
    if (access != null) {
      index.add(audience, access);
    }
  }

  @Override
  public Subscription subscribeLive(Audience audience, FrameShape shape, Runnable wakeup) {
    appending.lock();
    try {
      return subscribe(audience, shape, position, wakeup);
    } finally {
      appending.unlock();
    }
  }

  @Override
  public Subscription subscribeAfter(
      Audience audience, FrameShape shape, long after, Runnable wakeup) {
    appending.lock();
    try {
      return subscribe(audience, shape, after, wakeup);
    } finally {
      appending.unlock();
    }
  }

  private LiveSubscription subscribe(
      Audience audience, FrameShape shape, long after, Runnable wakeup) {
    AudienceLog to = audiences.get(new AudienceLog.Key(audience, shape));
    if (to == null) {
      AudienceLog created =
          new AudienceLog(new AudienceLog.Key(audience, shape), matcher(audience));
      audiences.put(created.key(), created);
      tables.forEach((table, indexed) -> addTo(indexed.audiences(), table, created));
      to = created;
    }
    LiveSubscription subscription = new LiveSubscription(this, to, after, wakeup);
    if (after >= position) {
      subscription.attach(to.tail());
    } else {
      subscription.readHistory();
    }
    to.add(subscription);
    return subscription;
  }

  void unsubscribe(LiveSubscription subscription) {
    appending.lock();
    try {
      AudienceLog from = subscription.log();
      if (from.remove(subscription) && audiences.remove(from.key(), from)) {
        held -= from.cost();
        tables.values().forEach(indexed -> indexed.audiences().remove(from));
      }
    } finally {
      appending.unlock();
    }
  }

  /** Gives a subscriber the place in its log that belongs to the position that is answered. */
  long join(LiveSubscription subscription, long at) {
    appending.lock();
    try {
      subscription.attach(subscription.log().tail());
      return Math.max(position, at);
    } finally {
      appending.unlock();
    }
  }

  boolean inMemory(long after) {
    return after >= tail.floor();
  }

  LogSlice read(long after, int maxEvents, int maxBytes) throws TruncatedException {
    LogSlice slice = tail.read(after, maxEvents, maxBytes);
    return slice != null ? slice : log.read(after, maxEvents, maxBytes);
  }

  void read(Runnable task) {
    readers.execute(task);
  }

  void readLater(Runnable task, RuntimeException why) {
    metrics.retry();
    LOG.debug("Reading history failed; it is tried again", why);
    readers.retry(task);
  }

  Future<?> later(Runnable task, long delay, TimeUnit unit) {
    return readers.later(task, delay, unit);
  }

  void failed(EventRecord event, RuntimeException e) {
    metrics.failure();
    LOG.warn("{} couldn't be framed and is hidden", event, e);
  }

  EventLog log() {
    return log;
  }

  Matcher matcher(Audience audience) {
    return new Matcher(audience, catalog, renderers, types);
  }

  Frames frames() {
    return frames;
  }

  FeedMetrics metrics() {
    return metrics;
  }

  @Override
  public String epoch() {
    return log.epoch();
  }

  @Override
  public long position() {
    return position;
  }

  @Override
  public Range range() {
    LogRange range = log.range();
    return new Range(range.oldest(), range.latest());
  }

  @Override
  public long resolve(Cursor cursor) {
    if (cursor instanceof Cursor.Latest) {
      return position;
    }
    if (cursor instanceof Cursor.Earliest) {
      return log.range().oldest();
    }
    Cursor.At at = (Cursor.At) cursor;
    if (at.epoch() != null && !at.epoch().equals(log.epoch())) {
      throw problem(ProblemType.CURSOR_UNKNOWN, "the cursor is of another outbox", log.range());
    }
    if (at.id() >= tail.floor() && at.id() <= position) {
      return at.id();
    }
    LogRange range = log.range();
    if (at.id() < range.oldest()) {
      throw expired(range);
    }
    if (at.id() > range.end()) {
      throw problem(ProblemType.CURSOR_UNKNOWN, "the cursor is beyond the newest event", range);
    }
    return at.id();
  }

  ProblemException expired(LogRange range) {
    return problem(ProblemType.CURSOR_EXPIRED, "the cursor is older than what is retained", range);
  }

  private ProblemException problem(ProblemType type, String detail, LogRange range) {
    return new Problem(
            type,
            detail,
            Map.of(
                "oldestCursor",
                frames.cursor(range.oldest()),
                "latestCursor",
                frames.cursor(range.latest())))
        .asException();
  }

  @Override
  public CompletableFuture<Page> page(
      Audience audience, long after, int limit, int maxBytes, Duration wait) {
    return new PageRead(this, audience, after, limit, maxBytes, wait.toNanos()).start();
  }

  @Override
  public Scanned scan(long after, int maxEvents, int maxBytes) {
    try {
      LogSlice slice = read(after, maxEvents, maxBytes);
      return new Scanned(slice.events(), slice.position());
    } catch (TruncatedException e) {
      throw expired(log.range());
    }
  }

  private long locked(LongSupplier count) {
    appending.lock();
    try {
      return count.getAsLong();
    } finally {
      appending.unlock();
    }
  }

  private double subscriberCount() {
    return locked(() -> audiences.values().stream().mapToLong(to -> to.subscribers().length).sum());
  }

  /** Stops the feed's threads and closes the log; subscriptions get nothing any more. */
  @Override
  public void close() {
    readers.close();
    wakeups.close();
    log.close();
  }
}
