package dev.rowcast.compacted;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rowcast.problem.ProblemException;
import dev.rowcast.problem.ProblemType;
import dev.rowcast.testing.TestKafka;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CompactedTopicIT {
  private static final Duration LIMIT = Duration.ofSeconds(30);
  private static TestKafka kafka;

  @BeforeAll
  static void startKafka(@TempDir Path directory) {
    kafka = TestKafka.start(directory);
  }

  @AfterAll
  static void stopKafka() {
    kafka.close();
  }

  @Test
  void anEmptyTopicIsReadyAndAWriteIsReadWhenItReturns() throws Exception {
    kafka.create("empty", 1);
    Texts texts = new Texts();
    try (CompactedTopic topic = follow("empty", texts)) {
      assertTrue(topic.awaitReady(LIMIT));

      topic.write(bytes("a"), bytes("1"));
      assertEquals(Map.of("a", "1"), texts.seen);
      topic.write(bytes("a"), null);
      assertEquals(Map.of(), texts.seen);
    }
  }

  @Test
  void whatStoodThereIsKnownOnceReady() throws Exception {
    kafka.create("full", 1);
    for (int i = 0; i < 1_000; i++) {
      kafka.post("full", bytes("key" + i % 10), bytes("" + i));
    }
    kafka.awaitPosted();
    Texts texts = new Texts();
    try (CompactedTopic topic = follow("full", texts)) {
      assertTrue(topic.awaitReady(LIMIT));
      assertEquals(10, texts.seen.size());
      assertEquals("999", texts.seen.get("key9"));
    }
  }

  @Test
  void aTopicThatComesLateIsWaitedFor() throws Exception {
    try (CompactedTopic topic = follow("late", new Texts())) {
      assertFalse(topic.awaitReady(Duration.ofMillis(300)));
      kafka.create("late", 1);
      assertTrue(topic.awaitReady(LIMIT));
    }
  }

  @Test
  void brokenRecordsAreCountedAndPassedOver() throws Exception {
    kafka.create("broken", 1);
    kafka.send("broken", bytes("a"), bytes("refuse"));
    kafka.send("broken", null, bytes("without key"));
    kafka.send("broken", bytes("b"), bytes("2"));
    Texts texts = new Texts();
    try (CompactedTopic topic = follow("broken", texts)) {
      assertTrue(topic.awaitReady(LIMIT));
      assertEquals(Map.of("b", "2"), texts.seen);
      assertEquals(2, topic.brokenRecords());
    }
  }

  @Test
  void aListenerThatThrowsEndsNothing() throws Exception {
    kafka.create("throwing", 1);
    Texts texts = new Texts();
    texts.throwing = true;
    try (CompactedTopic topic = follow("throwing", texts)) {
      topic.write(bytes("a"), bytes("1"));
      topic.write(bytes("b"), bytes("2"));
      assertEquals(Map.of("a", "1", "b", "2"), texts.seen);
    }
  }

  @Test
  void aTopicMadeAnewIsReadFromItsBeginning() throws Exception {
    kafka.create("anew", 1);
    for (int i = 0; i < 5; i++) {
      kafka.send("anew", bytes("old" + i), bytes("1"));
    }
    Texts texts = new Texts();
    try (CompactedTopic topic = follow("anew", texts)) {
      assertTrue(topic.awaitReady(LIMIT));
      kafka.admin().deleteTopics(List.of("anew")).all().get();
      await().atMost(LIMIT).until(() -> !kafka.admin().listTopics().names().get().contains("anew"));
      kafka.create("anew", 1);
      kafka.send("anew", bytes("new"), bytes("2"));
      await().atMost(LIMIT).until(() -> texts.seen.equals(Map.of("new", "2")));
    }
  }

  @Test
  void whileKafkaIsAwayWhatIsKnownStaysAndWritesAreRefused(@TempDir Path directory)
      throws Exception {
    try (TestKafka own = TestKafka.start(directory)) {
      own.create("away", 1);
      Texts texts = new Texts();
      try (CompactedTopic topic = CompactedTopic.follow(own.config(""), "away", texts)) {
        topic.write(bytes("a"), bytes("1"));
        own.stopBroker();

        ProblemException refused =
            assertThrows(ProblemException.class, () -> topic.write(bytes("b"), bytes("2")));
        assertEquals(ProblemType.UNAVAILABLE, refused.problem().type());
        assertEquals("1", texts.seen.get("a"));

        own.restartBroker();
        topic.write(bytes("c"), bytes("3"));
        assertEquals("3", texts.seen.get("c"));
      }
    }
  }

  private static CompactedTopic follow(String topic, Content content) {
    return CompactedTopic.follow(kafka.config(""), topic, content);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(UTF_8);
  }

  /** A map of texts that takes everything but the value {@code refuse}. */
  private static final class Texts implements Content {
    private final Map<String, String> texts = new TreeMap<>();
    private volatile Map<String, String> seen = Map.of();
    private volatile boolean throwing;

    @Override
    public void apply(byte[] key, byte @Nullable [] value) {
      if (value == null) {
        texts.remove(new String(key, UTF_8));
      } else if (new String(value, UTF_8).equals("refuse")) {
        throw new IllegalArgumentException("refused");
      } else {
        texts.put(new String(key, UTF_8), new String(value, UTF_8));
      }
    }

    @Override
    public void publish() {
      seen = Map.copyOf(texts);
      if (throwing) {
        throw new IllegalStateException("a listener's fault");
      }
    }

    @Override
    public void clear() {
      texts.clear();
    }
  }
}
