package dev.rowcast.fanout;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Polls page after page, with and without waiting. */
final class PageClient {
  private final LiveFeed feed;
  private final Audience audience;
  private final Random random;
  private final List<Long> ids = new ArrayList<>();
  private volatile boolean stopped;

  PageClient(LiveFeed feed, Audience audience, long seed) {
    this.feed = feed;
    this.audience = audience;
    this.random = new Random(seed);
  }

  void start() {
    poll(0);
  }

  private void poll(long after) {
    Duration wait = Duration.ofMillis(random.nextInt(2) == 0 ? 1 + random.nextInt(50) : 1);
    var unused =
        feed.page(audience, after, 1 + random.nextInt(1000), 1 << random.nextInt(18), wait)
            .thenAcceptAsync(this::take);
  }

  private void take(Page page) {
    synchronized (this) {
      for (byte[] event : page.events()) {
        String json = new String(event, StandardCharsets.UTF_8);
        ids.add(Long.parseLong(json.substring(6, json.indexOf(','))));
      }
    }
    if (!stopped) {
      poll(page.position());
    }
  }

  synchronized List<Long> ids() {
    return List.copyOf(ids);
  }

  void stop() {
    stopped = true;
  }
}
