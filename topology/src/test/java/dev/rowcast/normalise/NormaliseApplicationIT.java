package dev.rowcast.normalise;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rowcast.catalog.KafkaCatalog;
import dev.rowcast.event.EventRecord;
import dev.rowcast.event.Op;
import dev.rowcast.event.TableId;
import dev.rowcast.source.SourceStatus;
import dev.rowcast.source.SourceStatus.State;
import dev.rowcast.testing.TestKafka;
import dev.rowcast.topic.Topic;
import dev.rowcast.topic.Topics;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.io.TempDir;

class NormaliseApplicationIT {
  private static final Duration LIMIT = Duration.ofMinutes(2);
  private static TestKafka kafka;

  @TempDir private Path stateDirectory;
  private String prefix;
  private KafkaCatalog catalog;

  @BeforeAll
  static void startKafka(@TempDir Path directory) {
    kafka = TestKafka.start(directory);
  }

  @AfterAll
  static void stopKafka() {
    kafka.close();
  }

  @BeforeEach
  void createTopics(TestInfo test) throws Exception {
    prefix = test.getTestMethod().orElseThrow().getName() + ".";
    for (Topic topic : new Topics(prefix).all()) {
      kafka.create(topic);
    }
    catalog = KafkaCatalog.open(kafka.config(prefix));
    assertTrue(catalog.awaitReady(LIMIT), "catalog ready");
  }

  @Test
  void aMissingTopicIsReportedAndReadOnceItExistsWhileTheOthersFlow() throws Exception {
    kafka.create(prefix + "there", 1);
    try (NormaliseApplication application = start(table("there", "there"), table("late", "late"))) {
      send("there", "1", "{\"id\":1}");
      awaitEvents(1);
      SourceStatus failed = awaitState(State.FAILED);
      assertTrue(failed.reason().contains("topic " + prefix + "late: missing"), failed.reason());
      assertEquals(2, catalog.tables().size());

      kafka.create(prefix + "late", 3);
      send("late", "2", "{\"id\":2}");
      awaitEvents(2);

      SourceStatus streaming = awaitState(State.STREAMING);
      eventually().until(() -> catalog.sources().get(0).lagEvents() == 0);
      assertEquals(null, streaming.reason());
      assertEquals(State.STREAMING, application.state());
    }
  }

  @Test
  void noTopicAtAllIsWaitedForToo() throws Exception {
    try (NormaliseApplication application = start(table("late", "late"))) {
      awaitState(State.FAILED);
      kafka.create(prefix + "late", 1);
      send("late", "1", "{\"id\":1}");
      awaitEvents(1);
      assertEquals(1, application.counts(new TableId("public", "late")).events());
    }
  }

  @Test
  void aTopicDeletedAndMadeAnewIsReadFromItsBeginning() throws Exception {
    kafka.create(prefix + "t", 1);
    try (NormaliseApplication application = start(table("t", "t"))) {
      for (int i = 0; i < 5; i++) {
        send("t", "" + i, "{\"id\":" + i + "}");
      }
      awaitEvents(5);
      kafka.admin().deleteTopics(List.of(prefix + "t")).all().get();
      eventually().until(() -> !kafka.admin().listTopics().names().get().contains(prefix + "t"));
      awaitState(State.FAILED);
      kafka.create(prefix + "t", 1);
      send("t", "0", "{\"id\":0,\"a\":1}");
      send("t", "1", null);
      awaitEvents(7);
      awaitState(State.STREAMING);
      assertEquals(State.STREAMING, application.state());
    }
    assertEquals(Op.DELETE, events().get(6).op());
  }

  @Test
  void aTopicWhosePartitionsWereAddedToIsReportedWhileTheOthersFlow() throws Exception {
    kafka.create(prefix + "t", 1);
    kafka.create(prefix + "grown", 1);
    try (NormaliseApplication application = start(table("t", "t"), table("grown", "grown"))) {
      send("grown", "1", "{\"id\":1}");
      awaitEvents(1);
      kafka
          .admin()
          .createPartitions(Map.of(prefix + "grown", NewPartitions.increaseTo(2)))
          .all()
          .get();
      SourceStatus failed = awaitState(State.FAILED);
      assertTrue(failed.reason().contains("grown: has 2 partitions, had 1"), failed.reason());

      send("t", "2", "{\"id\":2}");
      awaitEvents(2);
      eventually().until(() -> application.state() == State.STREAMING);
    }
  }

  @Test
  void deadLettersKeepWhatTheyWereAndTheRestFlows() throws Exception {
    kafka.create(prefix + "t", 1);
    try (NormaliseApplication application = start(table("t", "t"))) {
      send("t", "1", "{");
      send("t", "2", "{\"id\":2}");
      awaitEvents(1);
      assertEquals(1, application.counts(new TableId("public", "t")).deadLetters());
    }
    ConsumerRecord<byte[], byte[]> letter = kafka.read(prefix + "dead-letters").get(0);
    assertEquals("{", new String(letter.value(), UTF_8));
    assertEquals(
        "public.t", new String(letter.headers().lastHeader(DeadLetter.TABLE).value(), UTF_8));
  }

  @Test
  void aTableThatIsReadNoMoreLeavesTheCatalog() throws Exception {
    kafka.create(prefix + "t", 1);
    try (NormaliseApplication first = start(table("t", "t"), table("gone", "gone"))) {
      eventually().until(() -> catalog.tables().size() == 2);
      assertEquals(null, first.counts(new TableId("public", "other")));
    }
    try (NormaliseApplication second = start(table("t", "t"))) {
      eventually().until(() -> catalog.tables().size() == 1);
      assertTrue(second.counts(new TableId("public", "t")) != null);
    }
  }

  @Test
  void everyChangeIsToldOnceHoweverOftenTheApplicationIsStoppedOrKilled() throws Exception {
    int keys = 20;
    int changes = 800;
    kafka.create(prefix + "t", 2);
    for (int change = 0; change < changes; change++) {
      for (int key = 0; key < keys; key++) {
        String row = "{\"id\":" + key + ",\"n\":" + change + "}";
        kafka.post(prefix + "t", ("" + key).getBytes(UTF_8), row.getBytes(UTF_8));
      }
    }
    kafka.awaitPosted();
    Random random = new Random(7);
    int interrupted = 0;
    for (int round = 0; round < 4; round++) {
      Process process = NormaliseProcess.start(kafka.config(prefix), stateDirectory, prefix + "t");
      long enough = kafka.end(prefix + "events") + 1 + random.nextInt(2_000);
      eventually()
          .pollInterval(Duration.ofMillis(2))
          .until(() -> kafka.end(prefix + "events") > enough);
      if (round % 3 == 2) {
        process.getOutputStream().close(); // an orderly end
      } else {
        process.destroyForcibly();
      }
      assertTrue(process.waitFor(20, TimeUnit.SECONDS), "process ended");
      interrupted += kafka.read(prefix + "events").size() < keys * changes ? 1 : 0;
    }
    assertTrue(interrupted >= 2, interrupted + " rounds ended in the middle");
    try (NormaliseApplication last = start(table("t", "t"))) {
      awaitEvents(keys * changes);
      eventually().until(() -> last.state() == State.STREAMING);
    }
    assertExactlyOnce(keys, changes);
  }

  private void assertExactlyOnce(int keys, int changes) throws Exception {
    Map<String, Integer> next = new HashMap<>();
    for (EventRecord event : events()) {
      String key = event.rowKey().toString();
      int n = next.merge(key, 1, Integer::sum) - 1;
      assertEquals(n == 0 ? Op.INSERT : Op.UPDATE, event.op());
      assertEquals("" + n, event.data().valueText(event.data().find("n")), key);
      if (n > 0) {
        assertEquals(List.of("n"), event.changedColumns());
        assertEquals("{\"n\":" + (n - 1) + "}", event.before().toString());
      }
    }
    assertEquals(keys, next.size());
    next.forEach((key, count) -> assertEquals(changes, count, key));
    assertEquals(keys * changes, kafka.read(prefix + "rows").size());
  }

  private NormaliseApplication start(SourceTable... tables) {
    return NormaliseApplication.start(
        kafka.config(prefix), List.of(tables), catalog, stateDirectory);
  }

  private SourceTable table(String name, String topic) {
    return NormaliseProcess.table(name, prefix + topic);
  }

  private void send(String topic, String key, String value) throws Exception {
    kafka.send(prefix + topic, key.getBytes(UTF_8), value == null ? null : value.getBytes(UTF_8));
  }

  private List<EventRecord> events() throws Exception {
    return kafka.read(prefix + "events").stream()
        .map(
            record ->
                EventRecord.parse(
                    record.offset(),
                    record.value(),
                    Optional.ofNullable(record.headers().lastHeader("before"))
                        .map(header -> header.value())
                        .orElse(null)))
        .toList();
  }

  private void awaitEvents(int count) {
    eventually()
        .until(() -> kafka.end(prefix + "events") >= count); // cheap, and before all are there
    eventually()
        .pollInterval(Duration.ofMillis(500))
        .untilAsserted(() -> assertEquals(count, kafka.read(prefix + "events").size()));
  }

  /** A thread that fails and is replaced is not the test's failure. */
  private static ConditionFactory eventually() {
    return await().dontCatchUncaughtExceptions().atMost(LIMIT);
  }

  private SourceStatus awaitState(State state) {
    return eventually()
        .until(
            () -> catalog.sources().stream().filter(s -> s.state() == state).findFirst(),
            Optional::isPresent)
        .orElseThrow();
  }
}
