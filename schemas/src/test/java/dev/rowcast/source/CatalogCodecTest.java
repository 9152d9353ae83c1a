package dev.rowcast.source;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.rowcast.event.Column;
import dev.rowcast.event.ColumnType;
import dev.rowcast.event.TableId;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class CatalogCodecTest {
  private static final TableId ORDERS = new TableId("public", "or\"ders");

  @Test
  void keysNameATableOrASource() {
    byte[] table = CatalogCodec.tableKey(ORDERS);
    assertEquals(ORDERS, CatalogCodec.tableOfKey(table));
    assertNull(CatalogCodec.sourceOfKey(table));

    byte[] source = CatalogCodec.sourceKey("shop");
    assertEquals("shop", CatalogCodec.sourceOfKey(source));
    assertNull(CatalogCodec.tableOfKey(source));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "{",
        "[]",
        "1",
        "{\"table\":1}",
        "{\"table\":{}}",
        "{\"source\":1}",
        "{\"table\":{\"schema\":\"\",\"name\":\"a\"}}",
        "{\"other\":\"x\"}"
      })
  void otherKeysNameNothing(String key) {
    assertNull(CatalogCodec.tableOfKey(key.getBytes(UTF_8)));
    assertNull(CatalogCodec.sourceOfKey(key.getBytes(UTF_8)));
  }

  @Test
  void noKeyNamesNothing() {
    assertNull(CatalogCodec.tableOfKey(null));
    assertNull(CatalogCodec.sourceOfKey(null));
  }

  @Test
  void aTableIsReadBackWithTheTypesThatItsNamesDoNotTell() {
    ColumnType pair = new ColumnType.Composite(List.of(Column.of("at", "timestamptz")));
    TableDescriptor table =
        new TableDescriptor(
            ORDERS,
            "shop",
            Strategy.NATIVE,
            List.of(
                Column.of("id", "bigint"),
                Column.of("tags", "text[]"),
                Column.of("mood", "mood"),
                new Column("total", "money_amount", ColumnType.Scalar.DECIMAL),
                new Column("moods", "moods", new ColumnType.Array(ColumnType.Scalar.TEXT)),
                new Column("pair", "pair", pair),
                new Column("pairs", "pair[]", new ColumnType.Array(pair))),
            List.of("id"));
    byte[] encoded = CatalogCodec.encode(table);
    assertEquals(table, CatalogCodec.decodeTable(encoded));
    assertFalse(new String(encoded, UTF_8).contains("BIGINT"));
  }

  @ParameterizedTest
  @EnumSource(Strategy.class)
  void everyStrategyIsReadBack(Strategy strategy) {
    TableDescriptor table =
        new TableDescriptor(ORDERS, "shop", strategy, List.of(), List.of("a", "b"));
    assertEquals(table, CatalogCodec.decodeTable(CatalogCodec.encode(table)));
  }

  @ParameterizedTest
  @EnumSource(SourceStatus.State.class)
  void aStatusIsReadBack(SourceStatus.State state) {
    Instant now = Instant.parse("2026-11-30T20:12:31.123456Z");
    for (SourceStatus status :
        List.of(
            new SourceStatus("shop", state, "no right to \"own\"", 17, 4_000_000_000L, now, now),
            new SourceStatus("shop", state, null, -1, -1, null, now))) {
      assertEquals(status, CatalogCodec.decodeSource(CatalogCodec.encode(status)));
    }
  }

  @Test
  void valuesThatAreNotOursAreRefused() {
    byte[] table = "{\"schema\":\"s\",\"table\":\"t\",\"strategy\":\"guess\"}".getBytes(UTF_8);
    assertThrows(IllegalArgumentException.class, () -> CatalogCodec.decodeTable(table));
    byte[] noJson = "{".getBytes(UTF_8);
    assertThrows(IllegalArgumentException.class, () -> CatalogCodec.decodeTable(noJson));
    assertThrows(IllegalArgumentException.class, () -> CatalogCodec.decodeSource(noJson));
  }

  @Test
  void aTableWithoutKeyIsRefusedByName() {
    IllegalArgumentException e =
        assertThrows(
            IllegalArgumentException.class,
            () -> new TableDescriptor(ORDERS, "shop", Strategy.NATIVE, List.of(), List.of()));
    assertEquals("public.or\"ders: key: empty (expected: at least one column)", e.getMessage());
  }
}
