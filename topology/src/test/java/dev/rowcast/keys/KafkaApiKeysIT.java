package dev.rowcast.keys;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.time.temporal.ChronoUnit.SECONDS;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rowcast.keys.ApiKeys.Issued;
import dev.rowcast.policy.Identity;
import dev.rowcast.policy.Scope;
import dev.rowcast.testing.SettableClock;
import dev.rowcast.testing.TestKafka;
import dev.rowcast.topic.Topics;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.io.TempDir;

class KafkaApiKeysIT {
  private static final Duration LIMIT = Duration.ofSeconds(30);
  private static final Instant NOW = Instant.parse("2026-11-30T20:12:31.123Z");
  private static final Identity ANALYST =
      new Identity("u-7", "analyst", Map.of("region", "emea"), Scope.ALL);
  private static TestKafka kafka;

  private final SettableClock clock = new SettableClock(NOW);
  private String prefix;

  @BeforeAll
  static void startKafka(@TempDir Path directory) {
    kafka = TestKafka.start(directory);
  }

  @AfterAll
  static void stopKafka() {
    kafka.close();
  }

  @BeforeEach
  void createTopic(TestInfo test) throws Exception {
    prefix = test.getTestMethod().orElseThrow().getName() + ".";
    kafka.create(new Topics(prefix).keys());
  }

  @Test
  void anIssuedKeyIsValidAtOnceAndItsSecretStandsNowhere() throws Exception {
    try (KafkaApiKeys keys = open()) {
      Issued issued = keys.create("reports", ANALYST, null);

      assertEquals(Optional.of(issued.key()), keys.authenticate(issued.secret()));
      assertEquals(Optional.of(issued.key()), keys.find(issued.key().id()));
      assertEquals(List.of(issued.key()), keys.list());
      assertTrue(issued.secret().matches("rc_[A-Za-z0-9_-]{43}"), "form of a secret");
      assertFalse(issued.toString().contains(issued.secret()));
      for (ConsumerRecord<byte[], byte[]> record : kafka.read(prefix + "keys")) {
        assertFalse(new String(record.value(), UTF_8).contains(issued.secret().substring(3)));
      }
    }
  }

  @Test
  void whatIsNoSecretIsNotAKey() throws Exception {
    try (KafkaApiKeys keys = open()) {
      String secret = keys.create("reports", ANALYST, null).secret();

      for (String other : List.of("", "rc_", secret + "x", secret.substring(1), "x".repeat(9999))) {
        assertEquals(Optional.empty(), keys.authenticate(other));
      }
    }
  }

  @Test
  void aRevokedKeyIsGoneHereAtOnceAndOnOtherNodesSoon() throws Exception {
    try (KafkaApiKeys here = open();
        KafkaApiKeys there = open()) {
      AtomicInteger changes = new AtomicInteger();
      there.onChange(changes::incrementAndGet);
      Issued issued = here.create("reports", ANALYST, null);
      await().atMost(LIMIT).until(() -> there.authenticate(issued.secret()).isPresent());

      assertTrue(here.revoke(issued.key().id()));

      assertEquals(Optional.empty(), here.authenticate(issued.secret()));
      assertEquals(List.of(), here.list());
      assertFalse(here.revoke(issued.key().id()), "revoked twice");
      await().atMost(LIMIT).until(() -> there.authenticate(issued.secret()).isEmpty());
      assertTrue(changes.get() >= 2, "told of issue and revocation");
    }
  }

  @Test
  void anExpiredKeyIsRefusedButListed() throws Exception {
    try (KafkaApiKeys keys = open()) {
      Issued issued = keys.create("reports", ANALYST, NOW.plusSeconds(60));
      clock.advance(Duration.ofMillis(59_999));
      assertTrue(keys.authenticate(issued.secret()).isPresent());

      clock.advance(Duration.ofMillis(1));

      assertEquals(Optional.empty(), keys.authenticate(issued.secret()));
      assertEquals(Optional.empty(), keys.find(issued.key().id()));
      assertEquals(List.of(issued.key()), keys.list());
    }
  }

  @Test
  void keysOutliveTheNode() throws Exception {
    Issued issued;
    try (KafkaApiKeys keys = open()) {
      issued = keys.create("reports", ANALYST, null);
    }
    try (KafkaApiKeys keys = open()) {
      assertEquals(Optional.of(issued.key()), keys.authenticate(issued.secret()));
    }
  }

  @Test
  void ensuringTwiceMakesOneKeyAndKeepsWhatIsThere() throws Exception {
    try (KafkaApiKeys here = open();
        KafkaApiKeys there = open()) {
      CompletableFuture<ApiKey> other =
          CompletableFuture.supplyAsync(() -> there.ensure("demo", "rc_demo", ANALYST));
      ApiKey key = here.ensure("demo", "rc_demo", ANALYST);

      assertEquals(key.id(), other.get().id());
      assertEquals(1, here.list().size());
      ApiKey again =
          here.ensure("renamed", "rc_demo", new Identity("x", "admin", Map.of(), Scope.ALL));
      assertEquals("demo", again.name());
      assertEquals(ANALYST, here.authenticate("rc_demo").orElseThrow().identity());
    }
  }

  @Test
  void aSecretWhoseKeyExpiredCanBeEnsuredAnew() throws Exception {
    try (KafkaApiKeys keys = open()) {
      Issued issued = keys.create("reports", ANALYST, NOW.plusSeconds(60));
      clock.advance(Duration.ofSeconds(61));

      ApiKey renewed = keys.ensure("renewed", issued.secret(), ANALYST);

      assertNotEquals(issued.key().id(), renewed.id());
      assertEquals(Optional.of(renewed), keys.authenticate(issued.secret()));
    }
  }

  @Test
  void aBrokenRecordGrantsNothingNotEvenWhatWasGrantedBefore() throws Exception {
    try (KafkaApiKeys keys = open()) {
      Issued broken = keys.create("broken", ANALYST, null);
      Issued whole = keys.create("whole", ANALYST, null);
      kafka.send(prefix + "keys", broken.key().id().getBytes(UTF_8), "{\"id\":".getBytes(UTF_8));
      kafka.send(prefix + "keys", "k_x".getBytes(UTF_8), "{}".getBytes(UTF_8));

      await().atMost(LIMIT).until(() -> keys.brokenRecords() == 2);
      await().atMost(LIMIT).until(() -> keys.authenticate(broken.secret()).isEmpty());
      assertTrue(keys.authenticate(whole.secret()).isPresent());
    }
  }

  @Test
  void aUseIsKnownEverywhereAndWrittenOnceInSomeMinutes() throws Exception {
    try (KafkaApiKeys here = open();
        KafkaApiKeys there = open()) {
      String id = here.create("reports", ANALYST, null).key().id();
      assertEquals(Optional.empty(), here.lastUse(id));
      await().atMost(LIMIT).until(() -> there.find(id).isPresent());
      AtomicInteger changes = new AtomicInteger();
      there.onChange(changes::incrementAndGet);
      for (int use = 0; use < 1000; use++) {
        here.used(id);
      }
      here.writeUses();
      Instant first = Instant.parse("2026-11-30T20:12:31Z");
      await().atMost(LIMIT).until(() -> there.lastUse(id).equals(Optional.of(first)));

      clock.advance(LastUses.GRAIN.minusSeconds(1));
      here.used(id);
      here.writeUses();
      assertEquals(2, kafka.read(prefix + "keys").size(), "the key and one use");
      assertEquals(0, changes.get(), "a use is no change of keys");

      clock.advance(Duration.ofSeconds(2));
      there.used(id);
      assertEquals(Optional.of(clock.instant().truncatedTo(SECONDS)), there.lastUse(id));
    }
  }

  @Test
  void aUseThatIsWrittenAfterTheRevocationBringsNoKeyBack() throws Exception {
    try (KafkaApiKeys here = open();
        KafkaApiKeys there = open()) {
      Issued issued = here.create("reports", ANALYST, null);
      await().atMost(LIMIT).until(() -> there.find(issued.key().id()).isPresent());
      there.used(issued.key().id());
      here.revoke(issued.key().id());
      kafka.send(
          prefix + "keys",
          LastUses.recordKey(issued.key().id()),
          "2026-11-30T20:12:31Z".getBytes(UTF_8));
      await().atMost(LIMIT).until(() -> here.lastUse(issued.key().id()).isPresent());

      assertEquals(Optional.empty(), here.find(issued.key().id()));
      assertEquals(List.of(), here.list());
      assertEquals(0, here.brokenRecords());
    }
  }

  private KafkaApiKeys open() throws InterruptedException {
    KafkaApiKeys keys = KafkaApiKeys.open(kafka.config(prefix), clock);
    assertTrue(keys.awaitReady(LIMIT), "ready");
    return keys;
  }
}
