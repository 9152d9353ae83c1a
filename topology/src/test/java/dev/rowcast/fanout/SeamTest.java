package dev.rowcast.fanout;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rowcast.event.EncodedChange;
import dev.rowcast.event.EventRecord;
import dev.rowcast.event.Op;
import dev.rowcast.event.TableId;
import dev.rowcast.policy.lookup.RowIndexes;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * A writer at full speed, and readers that come, go, stall and come back at random: each gets every
 * event that is visible to it exactly once and in order, whichever way it was read.
 */
class SeamTest {
  private static final int EVENTS = 20_000;
  private static final int CLIENTS = 60;
  private static final String[] REGIONS = {"east", "west", "north", "south"};

  private final long seed = Long.getLong("seam.seed", System.nanoTime());
  private final Random random = new Random(seed);
  private final MemoryLog log = new MemoryLog();
  private final SimpleMeterRegistry metrics = new SimpleMeterRegistry();
  // small, so that everybody falls out of memory and catches up all the time
  private final LiveFeed feed =
      new LiveFeed(
          log,
          Events.Tables.NONE,
          0,
          new FeedSettings(300, 1 << 20, 40_000, 200_000, 2),
          metrics,
          new RowIndexes(Map.of()));
  private final ExecutorService threads = Executors.newFixedThreadPool(2);
  private final Queue<Runnable> stalled = new ConcurrentLinkedQueue<>();

  @AfterEach
  void close() {
    feed.close();
    threads.shutdownNow();
  }

  @Test
  void everyVisibleEventArrivesExactlyOnceAndInOrder() throws Exception {
    System.out.println("SeamTest: -Dseam.seed=" + seed);
    List<EventRecord> events = events();
    List<SeamClient> clients = new ArrayList<>();
    for (int i = 0; i < CLIENTS; i++) {
      String region = i % 5 == 0 ? null : REGIONS[i % REGIONS.length];
      Audience audience =
          Events.audience(region == null ? new Events.Open() : new Events.Region(region));
      long[] visible =
          events.stream()
              .filter(event -> region == null || event.op() == Op.DELETE || in(event, region))
              .mapToLong(EventRecord::id)
              .toArray();
      clients.add(
          new SeamClient(feed, audience, visible, new Random(random.nextLong()), threads, stalled));
    }
    clients.forEach(SeamClient::start);
    PageClient pages = new PageClient(feed, Events.audience(new Events.Open()), random.nextLong());
    pages.start();
    for (EventRecord event : events) {
      if (random.nextInt(8) == 0) {
        log.skipTo(event.id() - 1);
      }
      log.add(event);
      feed.append(event);
      if (random.nextInt(50) == 0) {
        runStalled(random.nextInt(20));
      }
    }
    await()
        .atMost(Duration.ofMinutes(2))
        .until(
            () -> {
              runStalled(Integer.MAX_VALUE);
              return clients.stream().allMatch(SeamClient::finished)
                  && pages.ids().size() == events.size();
            });
    clients.forEach(SeamClient::stop);
    pages.stop();
    assertEquals(events.stream().map(EventRecord::id).toList(), pages.ids());
    clients.forEach(client -> assertEquals("", client.failure(), "seed " + seed));
    assertTrue(metrics.counter("rowcast.feed.fell.behind").count() > 0, "nobody fell behind");
    assertTrue(clients.stream().mapToInt(SeamClient::connections).sum() > 2_000, "few reconnects");
    // a client that was just connecting closes what it got
    await().until(() -> metrics.get("rowcast.feed.subscribers").gauge().value() == 0);
    await().until(() -> metrics.get("rowcast.feed.audiences").gauge().value() == 0);
  }

  private void runStalled(int most) {
    for (int i = 0; i < most; i++) {
      Runnable task = stalled.poll();
      if (task == null) {
        return;
      }
      threads.execute(task);
    }
  }

  private static boolean in(EventRecord event, String region) {
    var data = event.data();
    return data != null && data.stringValue(data.find("region")).equals(region);
  }

  private List<EventRecord> events() {
    List<EventRecord> events = new ArrayList<>();
    long id = 0;
    for (int i = 0; i < EVENTS; i++) {
      id += random.nextInt(10) == 0 ? 1 + random.nextInt(3) : 1;
      TableId table = new TableId("public", "t" + random.nextInt(3));
      String row =
          "{\"id\":%d,\"region\":\"%s\",\"note\":\"%s\"}"
              .formatted(i, REGIONS[random.nextInt(4)], "x".repeat(random.nextInt(200)));
      EncodedChange change =
          random.nextInt(10) == 0 ? Events.delete(table, i, null) : Events.insert(table, i, row);
      events.add(Events.at(id, change));
    }
    return events;
  }
}
