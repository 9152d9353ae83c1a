package dev.rowcast.connectors.postgres;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.rowcast.connectors.postgres.NestedWrites.Told;
import dev.rowcast.event.JsonObject;
import dev.rowcast.event.Op;
import dev.rowcast.event.RowChange;
import dev.rowcast.event.TableId;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class NestedWritesTest {

  @Test
  void insertComesBeforeTheUpdatesThatItsTriggersMade() {
    Told first = told(2, null, "B", "A");
    Told second = told(2, null, "C", "B");
    Told insert = told(1, Op.INSERT, "A", null);
    assertEquals(
        List.of(insert.change(), first.change(), second.change()),
        NestedWrites.inOrder(List.of(first, second, insert)));
  }

  @Test
  void deleteBeforeAnInsertStaysWhereItIs() {
    Told delete = told(2, Op.DELETE, null, "old");
    Told insert = told(1, Op.INSERT, "new", null);
    assertEquals(
        List.of(delete.change(), insert.change()), NestedWrites.inOrder(List.of(delete, insert)));
  }

  @Test
  void statementsOfClientsKeepTheirOrder() {
    Told first = told(1, null, "B", "A");
    Told second = told(1, null, "A", "B");
    assertEquals(
        List.of(first.change(), second.change()), NestedWrites.inOrder(List.of(first, second)));
  }

  private static Told told(
      int depth, @Nullable Op op, @Nullable String row, @Nullable String before) {
    return new Told(
        new RowChange(
            new TableId("public", "t"),
            op == null ? Op.UPDATE : op,
            Instant.EPOCH,
            JsonObject.of("{\"id\":1}".getBytes(UTF_8)),
            json(row),
            json(before),
            null),
        7,
        depth);
  }

  private static @Nullable JsonObject json(@Nullable String value) {
    return value == null ? null : JsonObject.of(("{\"v\":\"" + value + "\"}").getBytes(UTF_8));
  }
}
