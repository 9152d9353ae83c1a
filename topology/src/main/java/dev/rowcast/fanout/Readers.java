package dev.rowcast.fanout;

import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The threads that read history and pages: a fixed number, first come first served, each task one
 * turn long; and one thread that only says when. There is at most one task per subscriber or page.
 */
final class Readers implements AutoCloseable {
  private static final long RETRY_MS = 200;
  private static final long STOP_SECONDS = 5;

  private final ThreadPoolExecutor threads;
  private final ScheduledThreadPoolExecutor clock;

  Readers(int count) {
    threads =
        new ThreadPoolExecutor(
            count,
            count,
            0,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            named("rowcast-reader"));
    clock = new ScheduledThreadPoolExecutor(1, named("rowcast-reader-clock"));
    clock.setRemoveOnCancelPolicy(true);
    clock.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
  }

  private static ThreadFactory named(String name) {
    AtomicInteger number = new AtomicInteger();
    return task -> {
      Thread thread = new Thread(task, name + "-" + number.incrementAndGet());
      thread.setDaemon(true);
      return thread;
    };
  }

  void execute(Runnable task) {
    try {
      threads.execute(task);
    } catch (RejectedExecutionException e) {
      // the node is stopping: nobody is read for any more
    }
  }

  void retry(Runnable task) {
    var unused = later(task, RETRY_MS, TimeUnit.MILLISECONDS);
  }

  /** Runs a task on a reading thread after a delay. */
  Future<?> later(Runnable task, long delay, TimeUnit unit) {
    return clock.schedule(() -> execute(task), delay, unit);
  }

  @Override
  public void close() {
    clock.shutdownNow();
    threads.shutdown();
    try {
      if (!threads.awaitTermination(STOP_SECONDS, TimeUnit.SECONDS)) {
        threads.shutdownNow();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
