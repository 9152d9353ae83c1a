package dev.rowcast.fanout;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rowcast.cursor.Cursor;
import dev.rowcast.event.EncodedChange;
import dev.rowcast.fanout.Subscription.Frames;
import dev.rowcast.fanout.Subscription.Idle;
import dev.rowcast.fanout.Subscription.Packing;
import dev.rowcast.policy.lookup.RowIndexes;
import dev.rowcast.problem.ProblemException;
import dev.rowcast.problem.ProblemType;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class LiveFeedTest {
  private static final Audience ALL = Events.audience(new Events.Open());
  private static final Audience EAST = Events.audience(new Events.Region("east"));

  private final MemoryLog log = new MemoryLog();
  private final SimpleMeterRegistry metrics = new SimpleMeterRegistry();
  private final LiveFeed feed =
      new LiveFeed(
          log,
          Events.Tables.NONE,
          0,
          new FeedSettings(10, 1 << 20, 4_000, 20_000, 2),
          metrics,
          new RowIndexes(Map.of()));
  private long last;

  @AfterEach
  void close() {
    feed.close();
  }

  @Test
  void subscribersOfOneAudienceShareTheSameBytes() {
    Subscription one = feed.subscribeLive(ALL, FrameShape.EVENT, LiveFeedTest::nothing);
    Subscription two =
        feed.subscribeLive(
            Events.audience(new Events.Open()), FrameShape.EVENT, LiveFeedTest::nothing);
    insert("east");
    insert("west");
    assertEquals(2, metrics.counter("rowcast.feed.frames").count());
    Frames first = frames(one);
    assertEquals(first.bytes(), frames(two).bytes());
    assertTrue(first.bytes().isReadOnly());
    assertEquals(2, first.position());
  }

  @Test
  void anIdleReadersPositionAdvancesWithWhatIsSuppressed() {
    Subscription east = feed.subscribeLive(EAST, FrameShape.EVENT, LiveFeedTest::nothing);
    assertSame(Idle.INSTANCE, east.next(Packing.SINGLE, 1 << 16));
    insert("west");
    insert("west");
    assertEquals(2, east.position());
    insert("east");
    assertEquals(2, east.position());
    assertEquals(3, frames(east).position());
  }

  @Test
  void aReaderIsWokenOnceThereIsSomethingForIt() {
    AtomicInteger woken = new AtomicInteger();
    Subscription east = feed.subscribeLive(EAST, FrameShape.EVENT, woken::incrementAndGet);
    east.next(Packing.SINGLE, 1 << 16);
    insert("west");
    insert("east");
    await().until(() -> woken.get() == 1);
    assertEquals(2, frames(east).position());
    assertEquals(1, woken.get());
  }

  @Test
  void aWakeupThatThrowsDisturbsNobodyElse() {
    Subscription bad =
        feed.subscribeLive(
            ALL,
            FrameShape.EVENT,
            () -> {
              throw new IllegalStateException("told to fail");
            });
    bad.next(Packing.SINGLE, 1 << 16);
    Reader good = Reader.live(feed, ALL);
    insert("east");
    await().until(() -> good.ids().equals(List.of(1L)));
  }

  @Test
  void historyComesInBatchesAndRowsOneByOne() {
    insert("east");
    insert("west");
    insert("east");
    String batch = history(EAST, FrameShape.EVENT);
    assertTrue(batch.startsWith("id: 3.e1\nevent: batch\ndata: {\"from\":1,\"to\":3,\"count\":2,"));
    String rows = history(EAST, FrameShape.ROW);
    assertTrue(
        rows.startsWith("id: 1.e1\ndata: {\"event\":\"insert\",\"table\":\"orders\",\"row\":"));
    assertEquals(2, rows.split("\n\n").length);
  }

  @Test
  void liveEventsComeInOneBatchOnRequest() {
    Subscription all = feed.subscribeLive(ALL, FrameShape.EVENT, LiveFeedTest::nothing);
    insert("east");
    insert("west");
    Frames batch = assertInstanceOf(Frames.class, all.next(Packing.BATCH, 1 << 16));
    assertTrue(
        text(batch).startsWith("id: 2.e1\nevent: batch\ndata: {\"from\":1,\"to\":2,\"count\":2,"));
  }

  @Test
  void whoLagsTooFarCatchesUpFromTheLogAndMissesNothing() {
    Subscription slow = feed.subscribeLive(ALL, FrameShape.EVENT, LiveFeedTest::nothing);
    List<Long> expected = new ArrayList<>();
    for (long id = 1; id <= 200; id++) {
      insert("east");
      expected.add(id);
    }
    slow.close();
    Reader late = Reader.after(feed, ALL, 0);
    await().until(() -> late.ids().equals(expected));
    assertTrue(log.reads() > 0);
  }

  @Test
  void whatStalledReadersHoldIsBounded() {
    List<Subscription> stalled = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      Audience audience = Events.audience(new Events.Region("r" + i));
      stalled.add(feed.subscribeLive(audience, FrameShape.EVENT, LiveFeedTest::nothing));
    }
    for (int i = 0; i < 5_000; i++) {
      insert("r" + i % 100);
    }
    assertTrue(metrics.get("rowcast.feed.held.bytes").gauge().value() <= 20_000);
    AtomicInteger frames = new AtomicInteger();
    await()
        .until(
            () -> {
              if (stalled.get(7).next(Packing.SINGLE, 1 << 20) instanceof Frames more) {
                frames.addAndGet(text(more).split("\"occurredUtc\"", -1).length - 1);
              }
              return frames.get() == 50;
            });
  }

  @Test
  void whoSawNothingForLongReadsOnFromWhereTheNextForThemIs() {
    Subscription east = feed.subscribeLive(EAST, FrameShape.EVENT, LiveFeedTest::nothing);
    for (int i = 0; i < 100; i++) {
      insert("west");
    }
    for (int i = 0; i < 100; i++) {
      insert("east");
    }
    log.truncate(100); // what nobody needs any more
    assertEquals(100, east.position());
    Reader reader = Reader.of(east);
    await().until(() -> reader.gap() != null || reader.drain().ids().size() == 100);
    assertEquals(200, east.position());
    assertTrue(metrics.counter("rowcast.feed.fell.behind").count() > 0);
  }

  @Test
  void aBrokerThatFailsForAWhileCostsTimeAndNothingElse() {
    for (int i = 0; i < 50; i++) {
      insert("east");
    }
    log.fail(3);
    Reader late = Reader.after(feed, ALL, 0);
    await().until(() -> late.ids().size() == 50);
    assertEquals(3, metrics.counter("rowcast.feed.history.retries").count());
  }

  @Test
  void aPositionThatIsNoLongerRetainedIsAGap() {
    for (int i = 0; i < 50; i++) {
      insert("east");
    }
    log.truncate(20);
    Reader late = Reader.after(feed, ALL, 5);
    await().until(() -> late.gap() != null);
    assertEquals(20, late.gap().oldest());
    assertEquals(50, late.gap().latest());
    ExecutionException refused =
        assertThrows(
            ExecutionException.class,
            () -> feed.page(ALL, 5, 10, 1000, Duration.ZERO).get(5, TimeUnit.SECONDS));
    assertEquals(
        ProblemType.CURSOR_EXPIRED,
        assertInstanceOf(ProblemException.class, refused.getCause()).problem().type());
  }

  @Test
  void aNodeThatCouldntGoOnWhereItWasSendsEverybodyToTheLog() {
    Reader reader = Reader.live(feed, ALL);
    insert("east");
    await().until(() -> reader.ids().equals(List.of(1L)));
    log.add(Events.at(2, row(2, "east")));
    log.add(Events.at(3, row(3, "east")));
    feed.restart(3);
    last = 3;
    insert("east");
    await().until(() -> reader.ids().equals(List.of(1L, 2L, 3L, 4L)));
  }

  @Test
  void aRowThatLeavesTheViewIsToldOnRequestOnly() {
    Reader leaving = Reader.live(feed, Events.withLeaves(new Events.Region("east")));
    Reader staying = Reader.live(feed, EAST);
    EncodedChange moved =
        Events.update(
            Events.ORDERS, 1, "{\"id\":1,\"region\":\"west\"}", "{\"id\":1,\"region\":\"east\"}");
    append(moved);
    insert("east");
    await().until(() -> leaving.ids().equals(List.of(1L, 2L)));
    await().until(() -> staying.ids().equals(List.of(2L)));
  }

  @Test
  void aPageIsCutByCountAndByBytesAndNeverSkips() throws Exception {
    for (int i = 0; i < 25; i++) {
      insert(i % 2 == 0 ? "east" : "west");
    }
    Page byCount = page(EAST, 0, 4, 1 << 20);
    assertEquals(4, byCount.events().size());
    assertTrue(byCount.hasMore());
    Page byBytes = page(EAST, byCount.position(), 100, 1);
    assertEquals(1, byBytes.events().size());
    assertTrue(byBytes.hasMore());
    Page rest = page(EAST, byBytes.position(), 100, 1 << 20);
    assertEquals(8, rest.events().size());
    assertFalse(rest.hasMore());
    assertEquals(25, rest.position());
    Page none = page(EAST, 25, 100, 1 << 20);
    assertEquals(new Page(List.of(), 25, false), none);
  }

  @Test
  void aLongPollAnswersOnceSomethingVisibleIsThereOrTheTimeIsOver() throws Exception {
    CompletableFuture<Page> waiting = feed.page(EAST, 0, 10, 1000, Duration.ofSeconds(30));
    await().until(() -> metrics.get("rowcast.feed.subscribers").gauge().value() == 1);
    insert("west");
    assertFalse(waiting.isDone());
    insert("east");
    Page page = waiting.get(5, TimeUnit.SECONDS);
    assertEquals(1, page.events().size());
    assertEquals(2, page.position());
    CompletableFuture<Page> vain = feed.page(EAST, 2, 10, 1000, Duration.ofMillis(300));
    await().until(() -> metrics.get("rowcast.feed.subscribers").gauge().value() == 1);
    insert("west");
    assertEquals(new Page(List.of(), 3, false), vain.get(5, TimeUnit.SECONDS));
    await().until(() -> metrics.get("rowcast.feed.subscribers").gauge().value() == 0);
  }

  @Test
  void cursorsInMemoryAreResolvedWithoutTheBroker() throws Exception {
    insert("east");
    insert("east");
    assertEquals(2, feed.resolve(Cursor.parse("latest")));
    assertEquals(1, feed.resolve(Cursor.parse("1.e1")));
    log.skipTo(5); // committed, not yet read by this node
    assertEquals(4, feed.resolve(Cursor.parse("4")));
    ProblemException unknown =
        assertThrows(ProblemException.class, () -> feed.resolve(Cursor.parse("6")));
    assertEquals(ProblemType.CURSOR_UNKNOWN, unknown.problem().type());
    assertEquals("0.e1", unknown.problem().members().get("oldestCursor"));
    assertEquals("5.e1", unknown.problem().members().get("latestCursor"));
  }

  @Test
  void aReaderAheadOfANodeThatLagsWaitsForIt() {
    Reader ahead = Reader.after(feed, ALL, 2);
    insert("east");
    insert("east");
    assertEquals(2, ahead.subscription().position());
    insert("east");
    await().until(() -> ahead.ids().equals(List.of(3L)));
  }

  private Page page(Audience audience, long after, int limit, int maxBytes) throws Exception {
    return feed.page(audience, after, limit, maxBytes, Duration.ZERO).get(5, TimeUnit.SECONDS);
  }

  private String history(Audience audience, FrameShape shape) {
    Subscription late = feed.subscribeAfter(audience, shape, 0, LiveFeedTest::nothing);
    CompletableFuture<String> got = new CompletableFuture<>();
    await()
        .until(
            () -> {
              if (late.next(Packing.SINGLE, 1 << 16) instanceof Frames frames) {
                got.complete(text(frames));
              }
              return got.isDone();
            });
    late.close();
    return got.join();
  }

  private static Frames frames(Subscription subscription) {
    return assertInstanceOf(Frames.class, subscription.next(Packing.SINGLE, 1 << 16));
  }

  private static String text(Frames frames) {
    return StandardCharsets.UTF_8.decode(frames.bytes().duplicate()).toString();
  }

  private void insert(String region) {
    append(row(last + 1, region));
  }

  private static EncodedChange row(long key, String region) {
    return Events.insert(
        Events.ORDERS, key, "{\"id\":%d,\"region\":\"%s\"}".formatted(key, region));
  }

  private void append(EncodedChange change) {
    var event = Events.at(++last, change);
    log.add(event);
    feed.append(event);
  }

  private static void nothing() {}
}
