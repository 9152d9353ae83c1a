package dev.rowcast.fanout;

import dev.rowcast.fanout.Subscription.Packing;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads, stalls and reconnects at random and checks each id as it comes. */
@SuppressWarnings("NonAtomicVolatileUpdate") // written by one thread at a time, read by others
final class SeamClient {
  private static final Pattern EVENT_ID = Pattern.compile("\\{\"id\":([0-9]+),\"occurredUtc");

  private final LiveFeed feed;
  private final Audience audience;
  private final long[] visible;
  private final Random random;
  private final Executor threads;
  private final Queue<Runnable> stalled;
  private final AtomicInteger pending = new AtomicInteger();
  private volatile @Nullable Subscription subscription;
  private volatile int next;
  private volatile int connections;
  private volatile String failure = "";
  private volatile boolean stopped;

  SeamClient(
      LiveFeed feed,
      Audience audience,
      long[] visible,
      Random random,
      Executor threads,
      Queue<Runnable> stalled) {
    this.feed = feed;
    this.audience = audience;
    this.visible = visible;
    this.random = random;
    this.threads = threads;
    this.stalled = stalled;
  }

  void start() {
    connect(0);
    wake();
  }

  private void connect(long after) {
    connections = connections + 1;
    Subscription before = subscription;
    subscription = feed.subscribeAfter(audience, FrameShape.EVENT, after, this::wake);
    if (before != null) {
      before.close();
    }
    if (stopped) { // meanwhile: whoever stopped has closed the one before
      subscription.close();
    }
  }

  private void wake() {
    if (pending.getAndIncrement() == 0) {
      threads.execute(this::drain);
    }
  }

  private void drain() {
    int seen;
    do {
      seen = pending.get();
      while (!stopped && failure.isEmpty()) {
        if (random.nextInt(200) == 0) { // pending stays: nobody else drains meanwhile
          stalled.add(this::drain);
          return;
        }
        if (!step()) {
          break;
        }
      }
    } while (pending.addAndGet(-seen) != 0);
  }

  /** Whether to go on at once. */
  private boolean step() {
    Subscription own = subscription;
    if (own == null) {
      return false;
    }
    Packing packing = random.nextBoolean() ? Packing.SINGLE : Packing.BATCH;
    Subscription.Next got = own.next(packing, 1 << random.nextInt(18));
    if (got instanceof Subscription.Frames frames) {
      take(StandardCharsets.UTF_8.decode(frames.bytes()).toString());
      expectAllUpTo(frames.position(), "frames");
      if (random.nextInt(4) == 0) {
        connect(random.nextBoolean() ? frames.position() : lastId());
      }
      return true;
    }
    if (got instanceof Subscription.Gap gap) {
      failure = "gap: " + gap;
      return false;
    }
    long position = own.position();
    expectAllUpTo(position, "position");
    if (random.nextInt(4) == 0 && position > 0) {
      connect(position);
      return true;
    }
    return false;
  }

  private long lastId() {
    return next == 0 ? 0 : visible[next - 1];
  }

  private void take(String frames) {
    Matcher ids = EVENT_ID.matcher(frames);
    while (ids.find()) {
      long id = Long.parseLong(ids.group(1));
      if (next >= visible.length || visible[next] != id) {
        failure =
            "got " + id + ", expected " + (next < visible.length ? visible[next] : "nothing more");
        return;
      }
      next = next + 1;
    }
  }

  private void expectAllUpTo(long position, String what) {
    int at = Arrays.binarySearch(visible, position);
    int expected = at >= 0 ? at + 1 : -at - 1;
    if (next != expected && failure.isEmpty()) {
      failure = what + " " + position + ": " + next + " events came, expected " + expected;
    }
  }

  boolean finished() {
    return next == visible.length || !failure.isEmpty();
  }

  String failure() {
    return failure;
  }

  int connections() {
    return connections;
  }

  void stop() {
    stopped = true;
    Subscription own = subscription;
    if (own != null) {
      own.close();
    }
  }
}
