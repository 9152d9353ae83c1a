package dev.rowcast.standalone;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What has been started, to be stopped in the opposite order; parts that don't need each other at
 * the same time. One thread at a time.
 */
public final class Parts implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Parts.class);

  private final Deque<List<AutoCloseable>> started = new ArrayDeque<>();

  /** Adds a part that needs those before it. */
  public <T extends AutoCloseable> T add(T part) {
    started.push(new ArrayList<>(List.of(part)));
    return part;
  }

  /** Adds a part that doesn't need the one before it, nor is needed by it. */
  public <T extends AutoCloseable> T addBeside(T part) {
    if (started.isEmpty()) {
      return add(part);
    }
    started.element().add(part);
    return part;
  }

  /** Stops all of them, also when one can't be; idempotent. */
  @Override
  public void close() {
    while (!started.isEmpty()) {
      List<AutoCloseable> together = started.pop();
      List<Thread> others = new ArrayList<>();
      for (AutoCloseable part : together.subList(1, together.size())) {
        Thread other = new Thread(() -> close(part), "stop-" + part.getClass().getSimpleName());
        other.start();
        others.add(other);
      }
      close(together.get(0));
      others.forEach(Parts::join);
    }
  }

  private static void join(Thread other) {
    try {
      other.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void close(AutoCloseable part) {
    long began = System.nanoTime();
    String name = part.getClass().getSimpleName();
    try {
      part.close();
      LOG.debug(
          "{} stopped in {} ms", name, TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - began));
    } catch (Exception e) {
      LOG.error("Stopping {} failed", name, e);
    }
  }
}
