package dev.rowcast.fanout;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells subscribers that there is something, on a thread of its own, so that whoever appends never
 * waits for them. Audiences that get more while they wait their turn are told once.
 */
final class Wakeups implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Wakeups.class);

  private final Queue<AudienceLog> dirty = new ConcurrentLinkedQueue<>();
  private final Thread thread;
  private volatile boolean parked;
  private volatile boolean closed;

  Wakeups(String name) {
    thread = new Thread(this::run, name);
    thread.setDaemon(true);
    thread.start();
  }

  /** Any thread: the audience has something new. */
  void of(AudienceLog log) {
    if (log.markDirty()) {
      dirty.add(log);
    }
  }

  /** Any thread: after {@link #of}, once for several. */
  void signal() {
    if (parked && !dirty.isEmpty()) {
      parked = false;
      LockSupport.unpark(thread);
    }
  }

  private void run() {
    while (!closed) {
      AudienceLog log = dirty.poll();
      if (log != null) {
        log.clean();
        for (LiveSubscription subscriber : log.subscribers()) {
          subscriber.wakeIfParked();
        }
        continue;
      }
      parked = true;
      if (dirty.isEmpty() && !closed) {
        LockSupport.park(this);
      }
      parked = false;
    }
  }

  /** Calls a subscriber's wakeup; what it throws is its own affair. */
  static void call(Runnable wakeup) {
    try {
      wakeup.run();
    } catch (RuntimeException e) {
      LOG.warn("A subscriber's wakeup failed", e);
    }
  }

  @Override
  public void close() {
    closed = true;
    LockSupport.unpark(thread);
  }
}
