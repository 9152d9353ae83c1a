package dev.rowcast.bench;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.Histogram;

/**
 * How much the machine itself holds a thread up: a thread that wants to wake every millisecond and
 * writes down by how much it was late. What a measurement shows below that, it can't show.
 */
final class Noise implements AutoCloseable {
  private final Histogram late = new Histogram(TimeUnit.MINUTES.toNanos(1), 3);
  private volatile boolean closed;

  Noise() {
    Thread thread = new Thread(this::run, "noise");
    thread.setDaemon(true);
    thread.start();
  }

  private void run() {
    while (!closed) {
      long due = System.nanoTime() + 1_000_000;
      LockSupport.parkNanos(1_000_000);
      late.recordValue(Math.max(0, System.nanoTime() - due));
    }
  }

  /** Late by, in ms: p50, p99 and max. */
  String summary() {
    return "p50 %.2f ms, p99 %.2f ms, max %.1f ms"
        .formatted(ms(late, 50), ms(late, 99), late.getMaxValue() / 1e6);
  }

  private static double ms(Histogram histogram, double percentile) {
    return histogram.getValueAtPercentile(percentile) / 1e6;
  }

  @Override
  public void close() {
    closed = true; // it ends within a millisecond
  }
}
