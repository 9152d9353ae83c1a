package dev.rowcast.edge.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.function.Supplier;

/**
 * What the edge counts. Labels come from fixed sets (route templates, statuses, reasons), never
 * from what a client sent. Thread-safe.
 */
public final class EdgeMetrics {
  private final MeterRegistry registry;
  private final Counter bytes;
  private final Counter writes;

  public EdgeMetrics(MeterRegistry registry) {
    this.registry = registry;
    bytes =
        Counter.builder("rowcast.stream.bytes")
            .description("Bytes of frames and comments written to streams")
            .baseUnit("bytes")
            .register(registry);
    writes =
        Counter.builder("rowcast.stream.writes")
            .description("Writes to streams; one may hold several frames")
            .register(registry);
  }

  /** Shows how many streams are open. */
  public void openStreams(Supplier<Number> open) {
    Gauge.builder("rowcast.streams.open", open)
        .description("Streams that are open")
        .strongReference(true)
        .register(registry);
  }

  public void written(int length) {
    writes.increment();
    bytes.increment(length);
  }

  /**
   * A stream ended.
   *
   * @param reason one of few words
   */
  public void streamEnded(String reason) {
    registry.counter("rowcast.streams.ended", "reason", reason).increment();
  }

  /**
   * A request was answered.
   *
   * @param route the route's template, never the path itself
   */
  public void answered(String route, int status) {
    registry
        .counter("rowcast.http.requests", "route", route, "status", Integer.toString(status))
        .increment();
  }
}
