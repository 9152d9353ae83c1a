package dev.rowcast.catalog;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rowcast.event.Column;
import dev.rowcast.event.TableId;
import dev.rowcast.source.CatalogCodec;
import dev.rowcast.source.SourceStatus;
import dev.rowcast.source.Strategy;
import dev.rowcast.source.TableDescriptor;
import dev.rowcast.testing.TestKafka;
import dev.rowcast.topic.Topics;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.io.TempDir;

class KafkaCatalogIT {
  private static final Duration LIMIT = Duration.ofSeconds(30);
  private static final TableId ORDERS = new TableId("public", "orders");
  private static TestKafka kafka;

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
    kafka.create(new Topics(prefix).catalog());
  }

  @Test
  void tablesAndSourcesAreKnownOnAllNodesInOrder() throws Exception {
    try (KafkaCatalog here = open();
        KafkaCatalog there = open()) {
      here.put(table("public", "orders"));
      here.put(table("a", "z"));
      here.put(status(SourceStatus.State.STREAMING));

      assertEquals(List.of(table("a", "z"), table("public", "orders")), here.tables());
      assertEquals(Optional.of(table("public", "orders")), here.table(ORDERS));
      assertEquals(List.of(status(SourceStatus.State.STREAMING)), here.sources());
      await().atMost(LIMIT).until(() -> there.sources().equals(here.sources()));
      assertEquals(here.tables(), there.tables());

      here.remove(ORDERS);
      here.removeSource("shop");
      assertEquals(Optional.empty(), here.table(ORDERS));
      assertEquals(List.of(), here.sources());
    }
  }

  @Test
  void listenersHearOfTablesAndNotOfStates() throws Exception {
    try (KafkaCatalog catalog = open()) {
      AtomicInteger changes = new AtomicInteger();
      catalog.onTablesChanged(changes::incrementAndGet);

      catalog.put(table("public", "orders"));
      assertEquals(1, changes.get());
      catalog.put(table("public", "orders"));
      catalog.put(status(SourceStatus.State.FAILED));
      assertEquals(1, changes.get());
      catalog.remove(ORDERS);
      assertEquals(2, changes.get());
    }
  }

  @Test
  void aBrokenRecordChangesNothing() throws Exception {
    try (KafkaCatalog catalog = open()) {
      catalog.put(table("public", "orders"));
      kafka.send(prefix + "catalog", CatalogCodec.tableKey(ORDERS), "{".getBytes(UTF_8));
      kafka.send(
          prefix + "catalog",
          CatalogCodec.tableKey(ORDERS),
          CatalogCodec.encode(table("public", "secrets")));
      kafka.send(prefix + "catalog", "{}".getBytes(UTF_8), "{}".getBytes(UTF_8));

      await().atMost(LIMIT).until(() -> catalog.brokenRecords() == 3);
      assertEquals(List.of(table("public", "orders")), catalog.tables());
    }
  }

  private KafkaCatalog open() throws InterruptedException {
    KafkaCatalog catalog = KafkaCatalog.open(kafka.config(prefix));
    assertTrue(catalog.awaitReady(LIMIT), "ready");
    return catalog;
  }

  private static TableDescriptor table(String schema, String name) {
    return new TableDescriptor(
        new TableId(schema, name),
        "shop",
        Strategy.KAFKA,
        List.of(Column.of("id", "bigint"), Column.of("amount", "numeric(10,2)")),
        List.of("id"));
  }

  private static SourceStatus status(SourceStatus.State state) {
    return new SourceStatus(
        "shop", state, null, 3, 10, null, Instant.parse("2026-11-30T20:12:31.123Z"));
  }
}
