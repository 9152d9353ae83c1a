package dev.rowcast.frame;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.rowcast.event.Column;
import dev.rowcast.event.ColumnType;
import dev.rowcast.event.EventRecord;
import dev.rowcast.event.JsonBytes;
import dev.rowcast.event.JsonObject;
import dev.rowcast.policy.ColumnRules;
import dev.rowcast.policy.Mask;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class FramesTest {
  private static final String HEAD =
      "\"occurredUtc\":\"2026-11-30T20:12:31.123456Z\",\"schema\":\"public\",\"table\":\"orders\",";
  private static final String UPDATE =
      "{"
          + HEAD
          + "\"op\":\"update\",\"rowKey\":{\"id\":43},"
          + "\"data\":{\"id\":43,\"amount\":55.00,\"region\":\"e\\\"a\",\"cost\":1},"
          + "\"changedColumns\":[\"amount\",\"cost\"],\"actor\":{\"sub\":\"u-7\"}}";
  private static final String DELETE =
      "{" + HEAD + "\"op\":\"delete\",\"rowKey\":{\"id\":43},\"changedColumns\":[],\"actor\":null}";
  private static final ColumnRules SOME =
      new ColumnRules(Set.of("amount", "region"), Set.of(), Map.of("amount", new Stars()), false);

  private final Frames frames = new Frames("k3f9x2");

  /** Shows that there is something. */
  private record Stars() implements Mask {
    @Override
    public void write(JsonObject row, int i, JsonBytes out) {
      out.ascii("\"***\"");
    }
  }

  @Test
  void anEventThatIsSeenWholeIsTheRecordWithItsId() {
    assertEquals(
        "id: 1043.k3f9x2\nevent: update\ndata: {\"id\":1043," + UPDATE.substring(1) + "\n\n",
        text(frames.event(renderer(ColumnRules.ALL), event(UPDATE), false).bytes()));
  }

  @Test
  void columnRulesApplyToDataKeyAndChangedColumns() {
    assertEquals(
        "{\"id\":1043,"
            + HEAD
            + "\"op\":\"update\",\"rowKey\":{},\"data\":{\"amount\":\"***\",\"region\":\"e\\\"a\"},"
            + "\"changedColumns\":[\"amount\"],\"actor\":null}",
        json(SOME, UPDATE, false));
  }

  @Test
  void anUpdateOfHiddenColumnsAloneArrivesWithoutChangedColumns() {
    ColumnRules hidden =
        new ColumnRules(null, Set.of("amount", "cost"), Map.of("id", new Stars()), true);
    assertEquals(
        "{\"id\":1043,"
            + HEAD
            + "\"op\":\"update\",\"rowKey\":{\"id\":\"***\"},"
            + "\"data\":{\"id\":\"***\",\"region\":\"e\\\"a\"},"
            + "\"changedColumns\":[],\"actor\":{\"sub\":\"u-7\"}}",
        json(hidden, UPDATE, false));
  }

  @Test
  void namesThatNeedEscapesAndOmittedColumnsAreHiddenToo() {
    String event =
        "{"
            + HEAD
            + "\"op\":\"update\",\"rowKey\":{\"id\":1},\"data\":{\"id\":1,\"a\\\"b\":2,\"c\":3},"
            + "\"changedColumns\":[\"a\\\"b\",\"c\"],\"actor\":null,\"omitted\":[\"big\",\"x\\\\y\"]}";
    ColumnRules hidden = new ColumnRules(null, Set.of("a\"b", "x\\y"), Map.of(), true);
    assertEquals(
        "{\"id\":1043,"
            + HEAD
            + "\"op\":\"update\",\"rowKey\":{\"id\":1},\"data\":{\"id\":1,\"c\":3},"
            + "\"changedColumns\":[\"c\"],\"actor\":null,\"omitted\":[\"big\"]}",
        json(hidden, event, false));
  }

  @Test
  void aRowThatLeftTheViewIsADeleteWithItsReason() {
    assertEquals(
        "{\"id\":1043,"
            + HEAD
            + "\"op\":\"delete\",\"rowKey\":{\"id\":43},\"changedColumns\":[],"
            + "\"actor\":{\"sub\":\"u-7\"},\"reason\":\"left-scope\"}",
        json(ColumnRules.ALL, UPDATE, true));
    assertEquals(
        "{\"id\":1043,"
            + HEAD
            + "\"op\":\"delete\",\"rowKey\":{},\"changedColumns\":[],\"actor\":null,"
            + "\"reason\":\"left-scope\"}",
        json(SOME, UPDATE, true));
  }

  @Test
  void rowsAreUnnamedAndADeletesRowIsItsKey() {
    assertEquals(
        "id: 1043.k3f9x2\ndata: {\"event\":\"update\",\"table\":\"orders\","
            + "\"row\":{\"amount\":\"***\",\"region\":\"e\\\"a\"}}\n\n",
        text(frames.row(renderer(SOME), event(UPDATE), false).bytes()));
    assertEquals(
        "id: 1043.k3f9x2\ndata: {\"event\":\"delete\",\"table\":\"orders\",\"row\":{\"id\":43}}\n\n",
        text(frames.row(renderer(ColumnRules.ALL), event(DELETE), false).bytes()));
    assertEquals(
        "id: 1043.k3f9x2\ndata: {\"event\":\"delete\",\"table\":\"orders\",\"row\":{\"id\":43}}\n\n",
        text(frames.row(renderer(ColumnRules.ALL), event(UPDATE), true).bytes()));
  }

  @Test
  void longIntegersAndDecimalsAreStringsOnRequest() {
    List<Column> columns =
        List.of(
            Column.of("id", "bigint"),
            Column.of("n", "integer"),
            Column.of("d", "numeric(10,2)"),
            Column.of("f", "double precision"),
            Column.of("a", "bigint[]"),
            Column.of("j", "jsonb"),
            Column.of("t", "text"),
            new Column("c", "pair", new ColumnType.Composite(List.of(Column.of("x", "bigint")))));
    String row =
        "{\"id\":9007199254740993,\"n\":1,\"d\":-55.00,\"f\":1.5,\"a\":[[1,null],[-2,3]],"
            + "\"j\":{\"k\":[9007199254740993]},\"t\":\"7\",\"c\":{\"x\":5,\"y\":6},\"new\":8}";
    EventRecord event =
        event(
            "{"
                + HEAD
                + "\"op\":\"insert\",\"rowKey\":{\"id\":9007199254740993},\"data\":"
                + row
                + ",\"changedColumns\":[],\"actor\":null}");
    EventRenderer renderer = new EventRenderer(ColumnRules.ALL, columns, true);
    for (int twice = 0; twice < 2; twice++) {
      assertEquals(
          "{\"id\":1043,"
              + HEAD
              + "\"op\":\"insert\",\"rowKey\":{\"id\":\"9007199254740993\"},"
              + "\"data\":{\"id\":\"9007199254740993\",\"n\":1,\"d\":\"-55.00\",\"f\":1.5,"
              + "\"a\":[[\"1\",null],[\"-2\",\"3\"]],\"j\":{\"k\":[9007199254740993]},"
              + "\"t\":\"7\",\"c\":{\"x\":\"5\",\"y\":6},\"new\":\"8\"},"
              + "\"changedColumns\":[],\"actor\":null}",
          text(Frames.json(renderer, event, false)));
    }
  }

  @Test
  void aBatchSaysFromWhereToWhereItGoes() {
    Frames.Batch batch = frames.batch();
    batch.add(renderer(ColumnRules.ALL), event(UPDATE), false);
    batch.add(frames.event(renderer(ColumnRules.ALL), event(DELETE), false));
    assertEquals(
        "id: 1050.k3f9x2\nevent: batch\n"
            + "data: {\"from\":1043,\"to\":1050,\"count\":2,\"events\":[{\"id\":1043,"
            + UPDATE.substring(1)
            + ",{\"id\":1043,"
            + DELETE.substring(1)
            + "]}\n\n",
        text(batch.end(1050)));
    assertEquals(
        "id: 7.k3f9x2\nevent: batch\ndata: {\"from\":7,\"to\":7,\"count\":0,\"events\":[]}\n\n",
        text(frames.batch().end(7)));
  }

  @Test
  void nothingThatReachesALineEndsItEarly() {
    assertEquals(
        "id: 1data: x\nevent: gapid: 9\ndata: a\ndata: b\ndata:  c\ndata: \n\n",
        text(SseEncoder.event("1\r\ndata: x\0", "gap\nid: 9", utf8("a\r\nb\r c\n"))));
    assertEquals("data: \n\n", text(SseEncoder.event(null, null, utf8(""))));
    assertEquals(":heartbeat\n\n", text(SseEncoder.comment("heart\nbeat")));
    assertEquals("retry: 1500\n\n", text(SseEncoder.retry(Duration.ofMillis(1500))));
    assertEquals("id: 5.k3f9x2\n\n", text(SseEncoder.id(frames.cursor(5))));
  }

  private static EventRenderer renderer(ColumnRules rules) {
    return new EventRenderer(rules, List.of(), false);
  }

  private static String json(ColumnRules rules, String event, boolean left) {
    return text(Frames.json(renderer(rules), event(event), left));
  }

  private static EventRecord event(String json) {
    return EventRecord.parse(1042, utf8(json), null);
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.UTF_8);
  }
}
