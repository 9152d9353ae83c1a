package dev.rowcast.embedded;

import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stopping that can't hang its caller: a server that won't end is left to the end of the process.
 */
final class Bounded {
  private static final Logger LOG = LoggerFactory.getLogger(Bounded.class);

  private Bounded() {}

  /** Runs the step on a thread of its own and waits for it no longer than the limit. */
  static void run(String name, Duration limit, Runnable step) {
    Thread thread =
        new Thread(
            () -> {
              try {
                step.run();
              } catch (RuntimeException e) {
                LOG.warn("{} failed", name, e);
              }
            },
            name);
    thread.setDaemon(true);
    thread.start();
    try {
      thread.join(limit.toMillis());
      if (thread.isAlive()) {
        LOG.warn("{} still runs after {} s, going on without it", name, limit.toSeconds());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
