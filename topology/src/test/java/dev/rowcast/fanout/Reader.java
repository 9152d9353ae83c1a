package dev.rowcast.fanout;

import dev.rowcast.fanout.Subscription.Packing;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A client that drains its subscription whenever it is woken and keeps the ids of what it got. */
public final class Reader implements AutoCloseable {
  private static final Pattern EVENT_ID = Pattern.compile("\\{\"id\":([0-9]+),\"occurredUtc");

  private final List<Long> ids = new ArrayList<>();
  private final AtomicInteger pending = new AtomicInteger();
  private final Executor executor;
  private final Packing packing;
  private final int maxBytes;
  private volatile @Nullable Subscription subscription;
  private volatile Subscription.@Nullable Gap gap;

  private Reader(Executor executor, Packing packing, int maxBytes) {
    this.executor = executor;
    this.packing = packing;
    this.maxBytes = maxBytes;
  }

  public static Reader live(EventFeed feed, Audience audience) {
    Reader reader = new Reader(Runnable::run, Packing.SINGLE, 1 << 16);
    return reader.on(feed.subscribeLive(audience, FrameShape.EVENT, reader::wake));
  }

  public static Reader after(EventFeed feed, Audience audience, long after) {
    return after(feed, audience, after, Runnable::run, Packing.SINGLE, 1 << 16);
  }

  public static Reader after(
      EventFeed feed,
      Audience audience,
      long after,
      Executor executor,
      Packing packing,
      int maxBytes) {
    Reader reader = new Reader(executor, packing, maxBytes);
    return reader.on(feed.subscribeAfter(audience, FrameShape.EVENT, after, reader::wake));
  }

  /** Reads a subscription whenever {@link #drain} is called. */
  static Reader of(Subscription own) {
    Reader reader = new Reader(Runnable::run, Packing.SINGLE, 1 << 16);
    reader.subscription = own;
    return reader;
  }

  Reader drain() {
    wake();
    return this;
  }

  private Reader on(Subscription own) {
    subscription = own;
    wake();
    return this;
  }

  private void wake() {
    if (pending.getAndIncrement() == 0) {
      executor.execute(this::readAll);
    }
  }

  private void readAll() {
    int seen;
    do {
      seen = pending.get();
      Subscription own = subscription;
      while (own != null) {
        Subscription.Next next = own.next(packing, maxBytes);
        if (next instanceof Subscription.Frames frames) {
          take(StandardCharsets.UTF_8.decode(frames.bytes()).toString());
        } else {
          if (next instanceof Subscription.Gap hole) {
            gap = hole;
          }
          break;
        }
      }
    } while (pending.addAndGet(-seen) != 0);
  }

  private synchronized void take(String frames) {
    Matcher ids = EVENT_ID.matcher(frames);
    while (ids.find()) {
      this.ids.add(Long.parseLong(ids.group(1)));
    }
  }

  public synchronized List<Long> ids() {
    return List.copyOf(ids);
  }

  public Subscription subscription() {
    Subscription own = subscription;
    if (own == null) {
      throw new IllegalStateException("not subscribed");
    }
    return own;
  }

  public Subscription.@Nullable Gap gap() {
    return gap;
  }

  @Override
  public void close() {
    subscription().close();
  }
}
