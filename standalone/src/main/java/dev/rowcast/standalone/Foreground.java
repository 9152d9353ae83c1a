package dev.rowcast.standalone;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps a command running until it is told to stop (Ctrl-C, SIGTERM) or a part of it fails for
 * good, and stops it in order then. Thread-safe.
 */
public final class Foreground {
  private static final Logger LOG = LoggerFactory.getLogger(Foreground.class);
  // what a supervisor gives us between its two signals, and a little less
  private static final long STOP_LIMIT_SECONDS = 30;

  private final CountDownLatch ended = new CountDownLatch(1);
  private final CountDownLatch closed = new CountDownLatch(1);
  private final AtomicReference<String> failure = new AtomicReference<>();

  /** Ends the command: something that it can't do without has failed. Any thread; doesn't block. */
  public void fail(String reason) {
    if (failure.compareAndSet(null, reason)) {
      LOG.error("Stopping: {}", reason);
    }
    ended.countDown();
  }

  /**
   * Runs until the end and closes what runs.
   *
   * @param running what to close
   * @param onStarted called once a signal would be heeded
   * @return the exit code: 0 after a signal, 1 after a failure
   */
  public int run(AutoCloseable running, Runnable onStarted) throws InterruptedException {
    Thread hook = new Thread(this::stop, "stop");
    Runtime.getRuntime().addShutdownHook(hook);
    try {
      onStarted.run();
      ended.await();
    } finally {
      close(running);
    }
    return failure.get() == null ? 0 : 1;
  }

  // The virtual machine ends when its hooks do: so this one waits for the orderly stop.
  private void stop() {
    ended.countDown();
    try {
      if (!closed.await(STOP_LIMIT_SECONDS, TimeUnit.SECONDS)) {
        LOG.error("Not everything stopped within {} s", STOP_LIMIT_SECONDS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void close(AutoCloseable running) {
    try {
      running.close();
    } catch (Exception e) {
      LOG.error("Stopping failed", e);
    } finally {
      closed.countDown();
    }
  }
}
