package dev.rowcast.normalise;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rowcast.config.KafkaConfig;
import dev.rowcast.event.Column;
import dev.rowcast.event.EventCodec;
import dev.rowcast.event.TableId;
import dev.rowcast.normalise.NormaliseTopology.RowStore;
import dev.rowcast.source.Strategy;
import dev.rowcast.topic.Topics;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.TopologyTestDriver;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.test.TestRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NormaliseTopologyTest {
  private static final long OCCURRED = 1_796_069_551_123L; // 2026-11-30T20:12:31.123Z
  private static final Instant WRITTEN = Instant.parse("2027-01-01T00:00:00Z");
  private static final TableId ORDERS = new TableId("public", "orders");
  private static final TableId LINES = new TableId("public", "lines");
  private static final TableId NAMED = new TableId("public", "named");
  private static final List<SourceTable> TABLES =
      List.of(
          table(ORDERS, List.of(Column.of("at", "timestamptz")), "id"),
          table(LINES, List.of(), "order", "line"),
          table(NAMED, List.of(Column.of("name", "text")), "name"));

  private final Map<TableId, TableCounts> counts = new ConcurrentHashMap<>();
  private final AtomicLong incarnation = new AtomicLong(1);
  private Path stateDirectory;
  private TopologyTestDriver driver;

  @BeforeEach
  void start(@TempDir Path directory) {
    stateDirectory = directory;
    driver = newDriver();
  }

  @AfterEach
  void stop() {
    driver.close();
  }

  @Test
  void theFirstUpsertIsAnInsertTheNextAnUpdateAndATombstoneADelete() {
    send(ORDERS, "{\"id\":43}", "{\"id\":43, \"amount\":55.00, \"region\":\"east\"}");
    send(ORDERS, "{\"id\":43}", "{\"id\":43, \"amount\":56.00, \"region\":\"east\"}");
    send(ORDERS, "{\"id\":43}", null);
    send(ORDERS, "{\"id\":43}", "{\"id\":43}");

    String head =
        "{\"occurredUtc\":\"2026-11-30T20:12:31.123000Z\",\"schema\":\"public\","
            + "\"table\":\"orders\",\"op\":";
    List<TestRecord<byte[], byte[]>> all = records("events");
    assertEquals(
        List.of(
            head
                + "\"insert\",\"rowKey\":{\"id\":43},\"data\":"
                + "{\"id\":43,\"amount\":55.00,\"region\":\"east\"},"
                + "\"changedColumns\":[],\"actor\":null}",
            head
                + "\"update\",\"rowKey\":{\"id\":43},\"data\":"
                + "{\"id\":43,\"amount\":56.00,\"region\":\"east\"},"
                + "\"changedColumns\":[\"amount\"],\"actor\":null}",
            head + "\"delete\",\"rowKey\":{\"id\":43},\"changedColumns\":[],\"actor\":null}",
            head
                + "\"insert\",\"rowKey\":{\"id\":43},\"data\":{\"id\":43},"
                + "\"changedColumns\":[],\"actor\":null}"),
        values(all));
    assertEquals(null, before(all.get(0)));
    assertEquals("{\"amount\":55.00}", before(all.get(1)));
    assertEquals("{\"id\":43,\"amount\":56.00,\"region\":\"east\"}", before(all.get(2)));
    assertEquals(null, before(all.get(3)));
    assertEquals(
        "{\"schema\":\"public\",\"table\":\"orders\",\"rowKey\":{\"id\":43}}",
        new String(all.get(0).key(), UTF_8));
    assertEquals(4, count(ORDERS).events());
  }

  @Test
  void rowsHasTheLatestRowAndATombstoneOnceItIsGone() {
    send(ORDERS, "{\"id\":43}", "{\"id\":43,\"a\":1}");
    send(ORDERS, "{\"id\":43}", null);

    List<TestRecord<byte[], byte[]>> all = records("rows");
    assertEquals("{\"id\":43,\"a\":1}", new String(all.get(0).value(), UTF_8));
    assertEquals(null, all.get(1).value());
    assertArrayEquals(records("events").get(0).key(), all.get(0).key());
  }

  @Test
  void kafkasTimestampIsWhenItWasWrittenSinceRetentionGoesByIt() {
    send(ORDERS, "1", "{\"id\":1}");
    assertEquals(WRITTEN.toEpochMilli(), records("events").get(0).timestamp());
    assertEquals(Instant.ofEpochMilli(OCCURRED), count(ORDERS).lastEvent());
  }

  @Test
  void anUpsertThatChangesNothingIsAnUpdateWithoutChangedColumns() {
    send(ORDERS, "1", "{\"id\":1,\"a\":1}");
    send(ORDERS, "1", "{\"id\":1,\"a\":1}");

    String update = values("events").get(1);
    assertTrue(update.contains("\"op\":\"update\""), update);
    assertTrue(update.contains("\"changedColumns\":[]"), update);
  }

  @Test
  void declaredColumnsAreBroughtIntoTheirForm() {
    send(ORDERS, "1", "{\"id\":1,\"at\":\"2026-11-30T21:12:31+01:00\"}");
    assertEquals("{\"id\":1,\"at\":\"2026-11-30T20:12:31Z\"}", values("rows").get(0));
  }

  @Test
  void aDeleteOfAnUnknownRowIsCountedOnly() {
    send(ORDERS, "1", null);
    assertEquals(1, count(ORDERS).unknownDeletes());
    assertEquals(List.of(), records("events"));
    assertEquals(List.of(), records("rows"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{\"id\":7}           | {\"id\":7}",
        "{\"id\":7}           | {}",
        "{\"x\":0,\"id\": 7}  | {\"id\":7}",
        "7                    | {\"id\":7}",
        "' 7'               | {\"id\":7}",
        "7                    | {}",
        "                     | {\"id\":7}",
      })
  void theRowsKeyComesFromTheRecordsKeyInAnyFormOrElseFromTheRow(
      @Nullable String key, String value) {
    send(ORDERS, key, value);
    send(ORDERS, "{\"id\":7}", null);
    assertEquals(List.of("{\"id\":7}"), values("rows").subList(0, 1));
    assertEquals(0, count(ORDERS).unknownDeletes());
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '\'',
      delimiter = '|',
      value = {
        "'\"ann\"' | ann",
        "ann | ann",
        "42 | 42",
        "true | true",
        "null | null",
        "'{x' | ''",
        "'\"' | '\"'",
        "'' | ''",
      })
  void aBareKeyOfATextColumnIsAText(String key, String name) {
    send(NAMED, key, "{\"a\":1}");
    if (key.startsWith("{")) {
      assertTrue(header(records("dead-letters").get(0), "rowcast.reason").contains("not JSON"));
    } else {
      String json = "\"" + name.replace("\"", "\\\"") + "\"";
      assertEquals("{\"name\":" + json + ",\"a\":1}", values("rows").get(0));
    }
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '\'',
      delimiter = '|',
      value = {
        "7 | 7",
        "'\"7\"' | '\"7\"'",
        "true | true",
        "ann | '\"ann\"'",
        "007 | '\"007\"'",
        "'1,\"x\":2' | '\"1,\\\"x\\\":2\"'",
        "'1}' | '\"1}\"'",
      })
  void aBareKeyOfAColumnWithoutTypeIsJsonIfItCanBe(String key, String json) {
    send(ORDERS, key, "{\"a\":1}");
    assertEquals("{\"id\":" + json + ",\"a\":1}", values("rows").get(0));
  }

  @Test
  void aKeyOfSeveralColumnsIsInKeyOrderAndCompletesTheRow() {
    send(LINES, "{\"line\":2,\"order\":1}", "{\"text\":\"x\",\"line\":2}");
    assertEquals("{\"order\":1,\"text\":\"x\",\"line\":2}", values("rows").get(0));
    assertTrue(values("events").get(0).contains("\"rowKey\":{\"order\":1,\"line\":2}"));
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '\'',
      delimiter = '|',
      value = {
        "7           | {                   | not JSON",
        "7           | ''                  | expected: a JSON object",
        "7           | null                | expected: a JSON object",
        "7           | [1]                 | expected: a JSON object",
        "7           | '{\"id\":7} x'      | row: ",
        "7           | '{\"a\":1,\"a\":2}' | a column twice",
        "7           | '{\"id\":8}'        | 'id: 7 in the key, 8 in the row'",
        "7           | '{\"id\":\"7\"}'    | 'id: 7 in the key, \"7\" in the row'",
        "7           | '{\"id\":null}'     | 'id: 7 in the key, null in the row'",
        "            | '{\"a\":1}'         | 'row: key column id missing'",
        "            | '{\"id\":null}'     | 'row: key column id is NULL'",
        "            | '{\"id\":[1]}'      | 'row: key column id is no scalar'",
        "null        | '{\"id\":7}'        | 'key: key column id is NULL'",
        "[7]         | '{\"id\":7}'        | 'key: key column id is no scalar'",
        "'{\"x\":7}' | '{\"id\":7}'        | 'key: key column id missing'",
        "'{\"x'      | '{\"id\":7}'        | not JSON",
        "            |                     | tombstone without a key",
      })
  void whatIsNoRowGoesToTheDeadLettersAsItCame(
      @Nullable String key, @Nullable String value, String reason) {
    send(ORDERS, key, value);
    send(ORDERS, "1", "{\"id\":1}");

    TestRecord<byte[], byte[]> letter = records("dead-letters").get(0);
    assertEquals(key, text(letter.key()));
    assertEquals(value, text(letter.value()));
    assertTrue(header(letter, "rowcast.reason").contains(reason), header(letter, "rowcast.reason"));
    assertEquals("public.orders", header(letter, "rowcast.table"));
    assertEquals("orders", header(letter, "rowcast.topic"));
    assertEquals("0", header(letter, "rowcast.partition"));
    assertEquals("0", header(letter, "rowcast.offset"));
    assertEquals("kept", header(letter, "own"));
    assertEquals(1, count(ORDERS).deadLetters());
    assertEquals(1, values("events").size(), "the rest flows");
  }

  @Test
  void bytesThatAreNoTextAreDeadLettersTooAndRowsThatNestAsDeepAsTheyLikeFlow() {
    send(ORDERS, new byte[] {(byte) 0xff, 0}, "{}".getBytes(UTF_8));
    send(ORDERS, "1".getBytes(UTF_8), new byte[] {'{', '"', (byte) 0xff, '"', ':', '1', '}'});
    send(ORDERS, "1".getBytes(UTF_8), new byte[] {0, 0, 0, '{'});
    send(ORDERS, "1", "{\"a\":" + "[".repeat(200_000) + "]".repeat(200_000) + "}");
    send(LINES, "1", "{}");
    assertEquals(3, count(ORDERS).deadLetters());
    assertEquals(1, count(LINES).deadLetters());
    assertEquals(1, count(ORDERS).events());
    assertEquals(4, records("dead-letters").size());
  }

  @Test
  void aRowBeyondTheLimitLosesItsLargestColumnByName() {
    String large = "x".repeat(EventCodec.MAX_RECORD_BYTES);
    send(ORDERS, "1", "{\"id\":1,\"large\":\"" + large + "\",\"small\":2}");
    assertTrue(values("events").get(0).endsWith("\"omitted\":[\"large\"]}"));
    assertEquals("{\"id\":1,\"small\":2}", values("rows").get(0));

    send(ORDERS, "1", "{\"id\":1,\"large\":\"y\",\"small\":2}");
    assertTrue(values("events").get(0).contains("\"changedColumns\":[\"large\"]"));
  }

  @Test
  void aRowThatIsTooLargeEvenWithoutItsColumnsIsADeadLetterThatSaysWhatItLeftOut() {
    String large = "\"" + "x".repeat(EventCodec.MAX_RECORD_BYTES) + "\"";
    send(ORDERS, large, "{\"a\":1}");
    TestRecord<byte[], byte[]> letter = records("dead-letters").get(0);
    assertTrue(header(letter, "rowcast.reason").startsWith("too large even without its columns"));
    assertTrue(header(letter, "rowcast.omitted").startsWith("key, value, headers: 8388"));
    assertEquals(null, letter.value());
  }

  @Test
  void aTopicReadAgainTellsNothingTwiceAndBringsNoRowBack() {
    send(ORDERS, "1", "{\"id\":1,\"a\":1}");
    send(ORDERS, "2", "{\"id\":2}");
    send(ORDERS, "2", null);

    readAgain();
    send(ORDERS, "1", "{\"id\":1,\"a\":1}");
    send(ORDERS, "2", "{\"id\":2}");
    send(ORDERS, "2", null);

    assertEquals(List.of(), records("events"));
    assertEquals(List.of(), records("rows"));
    assertEquals(3, count(ORDERS).repeats());

    send(ORDERS, "1", "{\"id\":1,\"a\":2}");
    assertTrue(values("events").get(0).contains("\"changedColumns\":[\"a\"]"));
  }

  @Test
  void whatWasADeadLetterIsToldWhenTheTopicIsReadAgainAndItsRowHasNothingNewer() {
    send(ORDERS, "1", "{\"id\":2}");
    send(ORDERS, "2", "{\"id\":2}");

    readAgain();
    send(ORDERS, "1", "{\"id\":1}");
    send(ORDERS, "2", "{\"id\":2}");

    assertEquals(1, records("events").size());
    assertEquals(1, count(ORDERS).repeats());
  }

  @Test
  void aTopicMadeAnewIsNotTakenForARepeat() {
    send(ORDERS, "1", "{\"id\":1,\"a\":1}");

    incarnation.set(2);
    readAgain();
    send(ORDERS, "1", "{\"id\":1,\"a\":2}");

    assertTrue(values("events").get(0).contains("\"op\":\"update\""));
  }

  @Test
  void tablesDoNotSeeEachOthersRows() {
    send(ORDERS, "1", "{\"id\":1}");
    send(NAMED, "1", "{\"name\":\"1\"}");
    assertEquals(2, values("events").stream().filter(e -> e.contains("insert")).count());
  }

  @Test
  void twoTablesOnOneTopicAreRefusedByName() {
    SourceTable again =
        new SourceTable(
            new TableId("public", "again"),
            "shop",
            Strategy.KAFKA,
            "orders",
            List.of(),
            List.of("id"));
    IllegalArgumentException refused =
        assertThrows(
            IllegalArgumentException.class,
            () -> SourceTables.requireOwnTopics(List.of(TABLES.get(0), again)));
    assertEquals(
        "topic orders: of public.orders and public.again (expected: a topic for each table)",
        refused.getMessage());
  }

  private static SourceTable table(TableId table, List<Column> columns, String... key) {
    return new SourceTable(table, "shop", Strategy.KAFKA, table.name(), columns, List.of(key));
  }

  private TopologyTestDriver newDriver() {
    return new TopologyTestDriver(
        NormaliseTopology.of(
            TABLES,
            new Topics("p."),
            RowStore.MEMORY,
            table -> counts.computeIfAbsent(table, t -> new TableCounts()),
            topic -> incarnation.get(),
            new PollEnds()),
        NormaliseSettings.of(
            new KafkaConfig("localhost:1", "p.", Topics.DEFAULT_RETENTION, 1, "n", Map.of()),
            stateDirectory,
            new PollEnds()),
        WRITTEN);
  }

  /** A new task that knows what the former knew, before the first record of each topic. */
  private void readAgain() {
    Map<String, List<KeyValue<byte[], byte[]>>> known = new HashMap<>();
    for (String store : driver.getAllStateStores().keySet()) {
      try (KeyValueIterator<byte[], byte[]> all =
          driver.<byte[], byte[]>getKeyValueStore(store).all()) {
        List<KeyValue<byte[], byte[]>> entries = new ArrayList<>();
        all.forEachRemaining(entries::add);
        known.put(store, entries);
      }
    }
    driver.close();
    driver = newDriver();
    known.forEach(
        (store, entries) ->
            entries.forEach(
                entry ->
                    driver.<byte[], byte[]>getKeyValueStore(store).put(entry.key, entry.value)));
  }

  private void send(TableId table, @Nullable String key, @Nullable String value) {
    send(
        table,
        key == null ? null : key.getBytes(UTF_8),
        value == null ? null : value.getBytes(UTF_8));
  }

  private void send(TableId table, byte @Nullable [] key, byte @Nullable [] value) {
    RecordHeaders headers = new RecordHeaders();
    headers.add("own", "kept".getBytes(UTF_8));
    driver
        .createInputTopic(table.name(), new ByteArraySerializer(), new ByteArraySerializer())
        .pipeInput(new TestRecord<>(key, value, headers, OCCURRED));
  }

  private List<TestRecord<byte[], byte[]>> records(String topic) {
    return driver
        .createOutputTopic("p." + topic, new ByteArrayDeserializer(), new ByteArrayDeserializer())
        .readRecordsToList();
  }

  private List<String> values(String topic) {
    return values(records(topic));
  }

  private static List<String> values(List<TestRecord<byte[], byte[]>> records) {
    List<String> values = new ArrayList<>();
    records.forEach(record -> values.add(text(record.value())));
    return values;
  }

  private TableCounts count(TableId table) {
    return counts.get(table);
  }

  private static @Nullable String before(TestRecord<byte[], byte[]> event) {
    Header header = event.headers().lastHeader(EventCodec.BEFORE_HEADER);
    return header == null ? null : text(header.value());
  }

  private static String header(TestRecord<byte[], byte[]> record, String name) {
    return text(record.headers().lastHeader(name).value());
  }

  private static @Nullable String text(byte @Nullable [] bytes) {
    return bytes == null ? null : new String(bytes, UTF_8);
  }
}
