package dev.rowcast.schemas;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.networknt.schema.InputFormat;
import dev.rowcast.event.EncodedChange;
import dev.rowcast.event.EventCodec;
import dev.rowcast.event.JsonObject;
import dev.rowcast.event.Op;
import dev.rowcast.event.RowChange;
import dev.rowcast.event.TableId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class EventSchemaTest {
  private static final String DELETE =
      "{\"id\":1,\"occurredUtc\":\"2026-11-30T20:12:31.123456Z\",\"schema\":\"s\",\"table\":\"t\","
          + "\"op\":\"delete\",\"rowKey\":{},\"changedColumns\":[]}";

  @ParameterizedTest
  @EnumSource(Op.class)
  void whatIsWrittenWithAnIdInFrontIsValid(Op op) {
    for (int limit : new int[] {EventCodec.MAX_RECORD_BYTES, 5_000}) {
      String event = new String(change(op, limit).event(), UTF_8);
      String withId = "{\"id\":9223372036854775807," + event.substring(1);
      assertEquals(
          List.of(), Schemas.violations("event.schema.json", withId, InputFormat.JSON), withId);
      assertFalse(Schemas.violations("event.schema.json", event, InputFormat.JSON).isEmpty());
    }
  }

  @Test
  void membersInKafkaHaveTheOrderOfTheirDescription() throws Exception {
    JsonNode described = Schemas.yaml("asyncapi.yaml").at("/components/schemas/event/properties");
    JsonNode event = new ObjectMapper().readTree(change(Op.UPDATE, 5_000).event());
    assertEquals(names(described), names(event));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\"data\":{}",
        "\"omitted\":[]",
        "\"omitted\":[1]",
        "\"actor\":\"me\"",
        "\"reason\":\"x\""
      })
  void contradictionsAreInvalid(String member) {
    assertEquals(List.of(), Schemas.violations("event.schema.json", DELETE, InputFormat.JSON));
    String event =
        DELETE
            .replace("}", "," + member + "}")
            .replace("{,", "{")
            .replace("\"rowKey\":{" + member + "}", "\"rowKey\":{}");
    assertFalse(Schemas.violations("event.schema.json", event, InputFormat.JSON).isEmpty(), event);
  }

  private static EncodedChange change(Op op, int limit) {
    JsonObject key = JsonObject.of("{\"id\":1}".getBytes(UTF_8));
    String large = "x".repeat(6_000);
    JsonObject row = JsonObject.of(("{\"id\":1,\"a\":\"" + large + "\"}").getBytes(UTF_8));
    JsonObject before = JsonObject.of("{\"id\":1,\"a\":\"y\"}".getBytes(UTF_8));
    JsonObject actor = JsonObject.of("{\"role\":\"analyst\",\"sub\":\"u-7\"}".getBytes(UTF_8));
    return EventCodec.encode(
        new RowChange(
            new TableId("public", "orders"),
            op,
            Instant.parse("2026-11-30T20:12:31.123456Z"),
            key,
            op == Op.DELETE ? null : row,
            op == Op.INSERT ? null : before,
            op == Op.INSERT ? null : actor),
        limit);
  }

  private static List<String> names(JsonNode object) {
    List<String> names = new ArrayList<>();
    object.fieldNames().forEachRemaining(names::add);
    return names;
  }
}
