package dev.rowcast.event;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class EventCodecTest {
  private static final ObjectMapper JACKSON = new ObjectMapper();
  private static final TableId ORDERS = new TableId("public", "orders");
  private static final Instant AT = Instant.parse("2026-11-30T20:12:31.123456Z");

  @Test
  void anInsertHasItsRowAndNoChangedColumns() {
    EncodedChange change =
        encode(Op.INSERT, "{\"id\":43}", "{\"id\":43,\"amount\":55.00}", null, null);
    assertEquals(
        "{\"schema\":\"public\",\"table\":\"orders\",\"rowKey\":{\"id\":43}}", text(change.key()));
    assertEquals(
        "{\"occurredUtc\":\"2026-11-30T20:12:31.123456Z\",\"schema\":\"public\","
            + "\"table\":\"orders\",\"op\":\"insert\",\"rowKey\":{\"id\":43},"
            + "\"data\":{\"id\":43,\"amount\":55.00},\"changedColumns\":[],\"actor\":null}",
        text(change.event()));
    assertNull(change.before());
    assertEquals("{\"id\":43,\"amount\":55.00}", text(change.row()));
  }

  @Test
  void anUpdateNamesWhatDiffersAndKeepsTheEarlierValuesInTheHeader() {
    EncodedChange change =
        encode(
            Op.UPDATE,
            "{\"id\":43}",
            "{\"id\":43,\"a\\\"b\":2,\"same\":\"x\",\"added\":1}",
            "{\"id\":43,\"a\\\"b\":1,\"same\":\"x\",\"dropped\":1}",
            "{\"role\":\"analyst\"}");
    assertTrue(
        text(change.event())
            .endsWith(
                ",\"changedColumns\":[\"a\\\"b\",\"added\"],\"actor\":{\"role\":\"analyst\"}}"),
        text(change.event()));
    assertEquals("{\"a\\\"b\":1}", text(change.before()));
    assertEquals(List.of("a\"b", "added"), parse(change).changedColumns());
  }

  @Test
  void columnsInAnotherOrderDoNotDiffer() {
    EncodedChange change =
        encode(
            Op.UPDATE,
            "{\"id\":1}",
            "{\"id\":1,\"a\":2,\"b\":3}",
            "{\"b\":3,\"id\":1,\"a\":4}",
            null);
    assertEquals(List.of("a"), parse(change).changedColumns());
    assertEquals("{\"a\":4}", text(change.before()));
  }

  @Test
  void anUpdateWithUnknownEarlierRowNamesNothing() {
    EncodedChange change = encode(Op.UPDATE, "{\"id\":1}", "{\"id\":1}", null, null);
    assertEquals(List.of(), parse(change).changedColumns());
    assertNull(change.before());
  }

  @Test
  void aDeleteHasNoDataAndItsRowInTheHeader() {
    EncodedChange change = encode(Op.DELETE, "{\"id\":1}", null, "{\"id\":1,\"a\":2}", null);
    assertTrue(
        text(change.event())
            .endsWith("\"rowKey\":{\"id\":1},\"changedColumns\":[],\"actor\":null}"));
    assertEquals("{\"id\":1,\"a\":2}", text(change.before()));
    assertNull(change.row());
    assertNull(parse(change).data());
  }

  @Test
  void changesThatContradictThemselvesAreRefused() {
    JsonObject row = object("{\"id\":1}");
    assertThrows(
        IllegalArgumentException.class,
        () -> new RowChange(ORDERS, Op.DELETE, AT, row, row, row, null));
    assertThrows(
        IllegalArgumentException.class,
        () -> new RowChange(ORDERS, Op.UPDATE, AT, row, null, row, null));
    assertThrows(
        IllegalArgumentException.class,
        () -> new RowChange(ORDERS, Op.INSERT, AT, row, row, row, null));
  }

  @Test
  void theLargestColumnsOutsideTheKeyAreLeftOutAndNamed() throws Exception {
    String large = "\"" + "x".repeat(60_000) + "\"";
    String larger = "\"" + "x".repeat(70_000) + "\"";
    String row = "{\"id\":" + larger + ",\"a\":" + large + ",\"b\":" + larger + ",\"c\":1}";
    RowChange change = change(Op.INSERT, "{\"id\":" + larger + "}", row, null, null);
    // two keys and a key column, and 60,000 more
    EncodedChange encoded = EventCodec.encode(change, 280_000);
    JsonNode event = JACKSON.readTree(encoded.event());
    assertEquals("[\"b\"]", event.path("omitted").toString());
    assertEquals(List.of("id", "a", "c"), names(event.path("data")));
    assertNotNull(encoded.row());
    assertEquals(event.path("data"), JACKSON.readTree(encoded.row()));

    event = JACKSON.readTree(EventCodec.encode(change, 220_000).event());
    assertEquals("[\"b\",\"a\"]", event.path("omitted").toString());

    assertThrows(IllegalArgumentException.class, () -> EventCodec.encode(change, 200_000));
  }

  @Test
  void recordsStayWithinTheLimitWhateverTheRow() throws Exception {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    for (int i = 0; i < 50; i++) {
      int columns = 1 + random.nextInt(400);
      String row = wide(random, columns);
      String before = random.nextBoolean() ? null : wide(random, columns);
      Op op = List.of(Op.INSERT, Op.UPDATE, Op.DELETE).get(random.nextInt(3));
      RowChange change =
          change(
              op,
              "{\"c0\":1}",
              op == Op.DELETE ? null : row,
              op == Op.INSERT ? null : before,
              random.nextInt(9) > 0 ? null : "{\"role\":\"" + "r".repeat(60_000) + "\"}");
      int limit = 200_000 + random.nextInt(100_000);
      EncodedChange encoded = EventCodec.encode(change, limit);
      String message = "seed " + seed + ", round " + i;
      int size =
          encoded.key().length
              + encoded.event().length
              + (encoded.before() == null ? 0 : encoded.before().length);
      assertTrue(size <= limit, message + ": " + size + " > " + limit);
      JsonNode event = JACKSON.readTree(encoded.event());
      JsonObject shown = op == Op.DELETE ? change.before() : change.row();
      if (shown != null) {
        List<String> all = new ArrayList<>(names(event.path("data")));
        if (op == Op.DELETE) {
          assertNotNull(encoded.before());
          all.addAll(names(JACKSON.readTree(encoded.before())));
        }
        event.path("omitted").forEach(name -> all.add(name.asText()));
        assertEquals(shown.names().stream().sorted().toList(), all.stream().sorted().toList());
      }
    }
  }

  private static String wide(Random random, int columns) {
    StringBuilder row = new StringBuilder("{\"c0\":1");
    for (int c = 1; c < columns; c++) {
      int length = random.nextInt(20) == 0 ? random.nextInt(50_000) : random.nextInt(50);
      String name = "c" + c + "\\\"".repeat(random.nextInt(30));
      row.append(",\"").append(name).append("\":\"").append("v".repeat(length)).append('"');
    }
    return row.append('}').toString();
  }

  @Test
  void anActorThatIsNoActorIsNotTold() throws Exception {
    String actor = "{\"role\":\"" + "r".repeat(70_000) + "\"}";
    EncodedChange change = encode(Op.INSERT, "{\"id\":1}", "{\"id\":1}", null, actor);
    assertTrue(JACKSON.readTree(change.event()).path("actor").isNull());
  }

  @Test
  void keysDifferByTableAndRow() {
    assertArrayEquals(
        EventCodec.key(ORDERS, object("{\"id\":1}")), EventCodec.key(ORDERS, object("{\"id\":1}")));
    assertEquals(
        "{\"schema\":\"a\\\"\",\"table\":\"é\",\"rowKey\":{}}",
        text(EventCodec.key(new TableId("a\"", "é"), JsonObject.EMPTY)));
  }

  @Test
  void whatIsWrittenIsReadBack() throws Exception {
    long seed = System.nanoTime();
    RandomJson json = new RandomJson(new Random(seed));
    RowEncoder encoder = new RowEncoder(List.of());
    for (int i = 0; i < 500; i++) {
      JsonObject row = encoder.encode(json.object(2).getBytes(UTF_8));
      JsonObject before = encoder.encode(json.object(2).getBytes(UTF_8));
      JsonObject key = encoder.encode(json.object(0).getBytes(UTF_8));
      TableId table = new TableId("s" + json.text(), "t" + json.text());
      RowChange change = new RowChange(table, Op.UPDATE, AT, key, row, before, null);
      EncodedChange encoded = EventCodec.encode(change, EventCodec.MAX_RECORD_BYTES);
      EventRecord event = EventRecord.parse(i, encoded.event(), encoded.before());
      String message = "seed " + seed + ", round " + i;
      assertEquals(i + 1L, event.id(), message);
      assertEquals(table, event.table(), message);
      assertEquals(Op.UPDATE, event.op(), message);
      assertEquals(key, event.rowKey(), message);
      assertEquals(row, event.data(), message);
      List<String> changed =
          row.names().stream()
              .filter(
                  name ->
                      before.find(name) < 0
                          || !row.sameValue(row.find(name), before, before.find(name)))
              .toList();
      assertEquals(changed, event.changedColumns(), message);
      assertNotNull(event.before(), message);
      assertEquals(
          before.names().stream().filter(changed::contains).toList(), event.before().names());
      assertEquals(-1, event.event().find("id"));
    }
  }

  @Test
  void whatIsNoEventIsRefused() {
    String event = "{\"schema\":\"s\",\"table\":\"t\",\"op\":\"insert\",\"rowKey\":{},\"data\":{}}";
    for (String broken :
        List.of(
            "{}",
            event.replace("insert", "upsert"),
            event.replace("insert", "INSERT"),
            event.replace("\"s\"", "\"\""),
            event.replace("\"s\"", "1"),
            event.replace("\"table\"", "\"tables\""),
            event.replace("\"rowKey\":{}", "\"rowKey\":[]"),
            event.replace("\"data\":{}", "\"data\":null"))) {
      byte[] bytes = broken.getBytes(UTF_8);
      assertThrows(IllegalArgumentException.class, () -> EventRecord.parse(0, bytes, null), broken);
    }
    assertEquals(
        "event 1 insert s.t", EventRecord.parse(0, event.getBytes(UTF_8), null).toString());
  }

  private static EncodedChange encode(
      Op op, String key, @Nullable String row, @Nullable String before, @Nullable String actor) {
    return EventCodec.encode(change(op, key, row, before, actor), EventCodec.MAX_RECORD_BYTES);
  }

  private static RowChange change(
      Op op, String key, @Nullable String row, @Nullable String before, @Nullable String actor) {
    return new RowChange(
        ORDERS,
        op,
        AT,
        object(key),
        row == null ? null : object(row),
        before == null ? null : object(before),
        actor == null ? null : object(actor));
  }

  private static EventRecord parse(EncodedChange change) {
    return EventRecord.parse(0, change.event(), change.before());
  }

  private static JsonObject object(String json) {
    return JsonObject.of(json.getBytes(UTF_8));
  }

  private static @Nullable String text(byte @Nullable [] bytes) {
    return bytes == null ? null : new String(bytes, UTF_8);
  }

  private static List<String> names(JsonNode object) {
    List<String> names = new ArrayList<>();
    object.fieldNames().forEachRemaining(names::add);
    return names;
  }
}
