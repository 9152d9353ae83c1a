package dev.rowcast.fanout;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.function.ToDoubleFunction;

/** What the feed counts. Thread-safe. */
final class FeedMetrics {
  private final Counter events;
  private final Counter frames;
  private final Counter historyEvents;
  private final Counter fellBehind;
  private final Counter gaps;
  private final Counter failures;
  private final Counter retries;

  FeedMetrics(MeterRegistry registry) {
    events = counter(registry, "rowcast.feed.events", "Events that this node read live");
    frames = counter(registry, "rowcast.feed.frames", "Frames made, one per event and audience");
    historyEvents =
        counter(registry, "rowcast.feed.history.events", "Events read again for late readers");
    fellBehind =
        counter(registry, "rowcast.feed.fell.behind", "Subscribers that lagged out of memory");
    gaps =
        counter(registry, "rowcast.feed.gaps", "Subscribers whose position was retained no more");
    failures = counter(registry, "rowcast.feed.failures", "Events that couldn't be framed");
    retries = counter(registry, "rowcast.feed.history.retries", "Reads that the broker failed");
  }

  private static Counter counter(MeterRegistry registry, String name, String description) {
    return Counter.builder(name).description(description).register(registry);
  }

  static void gauge(
      MeterRegistry registry,
      String name,
      String description,
      LiveFeed feed,
      ToDoubleFunction<LiveFeed> value) {
    Gauge.builder(name, feed, value).description(description).register(registry);
  }

  void event() {
    events.increment();
  }

  void frame() {
    frames.increment();
  }

  void history(int count) {
    historyEvents.increment(count);
  }

  void fellBehind() {
    fellBehind.increment();
  }

  void gap() {
    gaps.increment();
  }

  void failure() {
    failures.increment();
  }

  void retry() {
    retries.increment();
  }
}
