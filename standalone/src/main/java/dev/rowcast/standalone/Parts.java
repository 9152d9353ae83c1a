package dev.rowcast.standalone;

import java.util.ArrayDeque;
import java.util.Deque;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What has been started, to be stopped in the opposite order. One thread at a time. */
final class Parts implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Parts.class);

  private final Deque<AutoCloseable> started = new ArrayDeque<>();

  <T extends AutoCloseable> T add(T part) {
    started.push(part);
    return part;
  }

  /** Stops all of them, also when one can't be; idempotent. */
  @Override
  public void close() {
    while (!started.isEmpty()) {
      AutoCloseable part = started.pop();
      try {
        part.close();
      } catch (Exception e) {
        LOG.error("Stopping {} failed", part.getClass().getSimpleName(), e);
      }
    }
  }
}
