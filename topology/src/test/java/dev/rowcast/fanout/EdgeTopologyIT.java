package dev.rowcast.fanout;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rowcast.config.KafkaConfig;
import dev.rowcast.cursor.Cursor;
import dev.rowcast.embedded.EmbeddedKafka;
import dev.rowcast.embedded.KafkaOptions;
import dev.rowcast.event.EncodedChange;
import dev.rowcast.event.EventCodec;
import dev.rowcast.log.TopicCreator;
import dev.rowcast.problem.ProblemException;
import dev.rowcast.problem.ProblemType;
import dev.rowcast.topic.Topics;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Pattern;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EdgeTopologyIT {
  private static final Duration SOON = Duration.ofSeconds(20);
  @TempDir private static Path directory;
  private static EmbeddedKafka broker;

  private final SimpleMeterRegistry metrics = new SimpleMeterRegistry();

  @BeforeAll
  static void startBroker() {
    broker = EmbeddedKafka.start(directory.resolve("kafka"), KafkaOptions.defaults());
  }

  @AfterAll
  static void stopBroker() {
    broker.close();
  }

  @Test
  void aNodeStartsAtTheEndAndDeliversWhatComesThenAndHistoryOnRequest() throws Exception {
    KafkaConfig kafka = config("a.", "n1");
    TopicCreator.create(clients(), new Topics("a."), 1);
    try (Writer writer = new Writer("a.events")) {
      writer.transaction(row(1), row(2));
      try (EdgeTopology edge = start(kafka)) {
        LiveFeed feed = edge.feed();
        await().atMost(SOON).until(edge::ready);
        Reader live = Reader.live(feed, Events.audience(new Events.Open()));
        Reader replay = Reader.after(feed, Events.audience(new Events.Open()), 0);
        writer.transaction(row(3));
        writer.transaction(row(4), row(5));
        await().atMost(SOON).until(() -> live.ids().size() == 3);
        await().atMost(SOON).until(() -> replay.ids().size() == 5);
        Page page =
            feed.page(Events.audience(new Events.Open()), 0, 3, 1 << 20, Duration.ZERO)
                .get(10, TimeUnit.SECONDS);
        assertEquals(3, page.events().size());
        assertTrue(page.hasMore());
      }
    }
  }

  @Test
  void aNodeThatIsStartedAgainAtOnceIsReadyWithinSeconds() throws Exception {
    KafkaConfig kafka = config("b.", "n1");
    TopicCreator.create(clients(), new Topics("b."), 1);
    try (Writer writer = new Writer("b.events")) {
      for (int round = 0; round < 3; round++) {
        writer.transaction(row(round));
        try (EdgeTopology edge = start(kafka)) {
          await().atMost(SOON).until(edge::ready);
          Reader live = Reader.live(edge.feed(), Events.audience(new Events.Open()));
          writer.transaction(row(100 + round));
          await().atMost(SOON).until(() -> live.ids().size() == 1);
        }
      }
    }
  }

  @Test
  void recordsThatArentEventsAreSkippedAndCounted() throws Exception {
    KafkaConfig kafka = config("c.", "n1");
    TopicCreator.create(clients(), new Topics("c."), 1);
    try (Writer writer = new Writer("c.events");
        EdgeTopology edge = start(kafka)) {
      await().atMost(SOON).until(edge::ready);
      Reader live = Reader.live(edge.feed(), Events.audience(new Events.Open()));
      EncodedChange poison =
          new EncodedChange(new byte[0], "{\"op\":1".getBytes(UTF_8), null, null);
      writer.transaction(poison, row(1), poison);
      await().atMost(SOON).until(() -> live.ids().size() == 1);
      await().atMost(SOON).until(() -> metrics.counter("rowcast.edge.skipped").count() == 2);
      assertEquals(3, edge.feed().position());
    }
  }

  @Test
  void aLongHistoryIsReadWholeAndInOrderWhileMoreIsWritten() throws Exception {
    KafkaConfig kafka = config("e.", "n1");
    TopicCreator.create(clients(), new Topics("e."), 1);
    EncodedChange[] thousand = new EncodedChange[1_000];
    Arrays.setAll(thousand, i -> row(i));
    try (Writer writer = new Writer("e.events")) {
      for (int i = 0; i < 200; i++) {
        writer.transaction(thousand);
      }
      try (EdgeTopology edge = start(kafka)) {
        await().atMost(SOON).until(edge::ready);
        for (int round = 0; round < 3; round++) {
          AtomicLong count = new AtomicLong();
          long start = System.nanoTime();
          drainTo(edge.feed(), 200_000 + round * 1_000L, count);
          double seconds = (System.nanoTime() - start) / 1e9;
          System.out.printf("replayed %,.0f events/s%n", count.get() / seconds);
          writer.transaction(thousand);
        }
        assertEquals(0, metrics.counter("rowcast.edge.restarts").count());
      }
    }
  }

  /** Reads from the start until so many events have come, as a client that writes at once would. */
  private static void drainTo(LiveFeed feed, long events, AtomicLong count) throws Exception {
    Semaphore woken = new Semaphore(0);
    Pattern batch = Pattern.compile("\"count\":([0-9]+),");
    try (Subscription all =
        feed.subscribeAfter(
            Events.audience(new Events.Open()), FrameShape.EVENT, 0, woken::release)) {
      while (count.get() < events) {
        if (all.next(Subscription.Packing.SINGLE, 64 << 10) instanceof Subscription.Frames frames) {
          byte[] head = new byte[Math.min(200, frames.bytes().remaining())];
          frames.bytes().get(head);
          var counted = batch.matcher(new String(head, UTF_8));
          count.addAndGet(counted.find() ? Long.parseLong(counted.group(1)) : 1);
        } else {
          assertTrue(woken.tryAcquire(20, TimeUnit.SECONDS), "stalled at " + all.position());
        }
      }
    }
  }

  @Test
  void cursorsAreJudgedByWhatTheBrokerHas() throws Exception {
    KafkaConfig kafka = config("d.", "n1");
    TopicCreator.create(clients(), new Topics("d."), 1);
    try (Writer writer = new Writer("d.events")) {
      writer.transaction(row(1), row(2));
      try (EdgeTopology edge = start(kafka)) {
        LiveFeed feed = edge.feed();
        assertEquals(0, feed.resolve(Cursor.parse("earliest")));
        assertEquals(1, feed.resolve(Cursor.parse("1." + feed.epoch())));
        assertEquals(ProblemType.CURSOR_UNKNOWN, refused(feed, "1.other"));
        assertEquals(ProblemType.CURSOR_UNKNOWN, refused(feed, "4"));
        try (var admin = Admin.create(clients())) {
          admin
              .deleteRecords(
                  Map.of(new TopicPartition("d.events", 0), RecordsToDelete.beforeOffset(2)))
              .all()
              .get();
        }
        assertEquals(ProblemType.CURSOR_EXPIRED, refused(feed, "1"));
        Reader late = Reader.after(feed, Events.audience(new Events.Open()), 0);
        await().atMost(SOON).until(() -> late.gap() != null);
        assertEquals(2, late.gap().oldest());
      }
    }
  }

  private static ProblemType refused(LiveFeed feed, String cursor) throws Exception {
    try {
      feed.resolve(Cursor.parse(cursor));
    } catch (ProblemException e) {
      assertFalse(e.problem().members().get("oldestCursor").toString().isEmpty());
      return e.problem().type();
    }
    throw new AssertionError(cursor + " was resolved");
  }

  private EdgeTopology start(KafkaConfig kafka) {
    return EdgeTopology.start(kafka, Events.Tables.NONE, FeedSettings.DEFAULT, metrics);
  }

  private static EncodedChange row(long key) {
    return Events.insert(Events.ORDERS, key, "{\"id\":" + key + ",\"region\":\"east\"}");
  }

  private static Map<String, Object> clients() {
    return Map.of("bootstrap.servers", broker.bootstrapServers());
  }

  private static KafkaConfig config(String prefix, String node) {
    return new KafkaConfig(
        broker.bootstrapServers(), prefix, Topics.DEFAULT_RETENTION, 1, node, Map.of());
  }

  /** Writes transactions of events. */
  private static final class Writer implements AutoCloseable {
    private final String topic;
    private final KafkaProducer<byte[], byte[]> producer;

    Writer(String topic) {
      this.topic = topic;
      this.producer =
          new KafkaProducer<>(
              Map.of("bootstrap.servers", broker.bootstrapServers(), "transactional.id", topic),
              new ByteArraySerializer(),
              new ByteArraySerializer());
      producer.initTransactions();
    }

    void transaction(EncodedChange... changes) {
      producer.beginTransaction();
      for (EncodedChange change : changes) {
        var record = new ProducerRecord<>(topic, change.key(), change.event());
        if (change.before() != null) {
          record.headers().add(EventCodec.BEFORE_HEADER, change.before());
        }
        var unused = producer.send(record);
      }
      producer.commitTransaction();
    }

    @Override
    public void close() {
      producer.close();
    }
  }
}
