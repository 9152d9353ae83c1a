package dev.rowcast.connectors.postgres;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

/** From a statement to Kafka and back, with real servers. */
class PostgresSourceIT extends PostgresIT {

  @Test
  void insertUpdateAndDeleteBecomeEventsAndRows() throws Exception {
    source.sql("CREATE TABLE orders (id bigint PRIMARY KEY, amount numeric(10,2), note text)");
    source.capture("orders").awaitCaptured("orders");
    source.sql("INSERT INTO orders VALUES (1, 55, 'new')");
    source.sql("UPDATE orders SET amount = 56.5 WHERE id = 1");
    source.sql("DELETE FROM orders WHERE id = 1");

    assertEquals(
        List.of(
            "insert {\"id\":1} {\"id\":1,\"amount\":55.00,\"note\":\"new\"}",
            "update {\"id\":1} {\"id\":1,\"amount\":56.50,\"note\":\"new\"}",
            "delete {\"id\":1}"),
        events.changes(3));
    assertEquals(List.of("amount"), events.events().get(1).changedColumns());
    assertEquals("{\"amount\":55.00}", String.valueOf(events.events().get(1).before()));
    assertTrue(rows.values(3).contains(null), "a tombstone after the delete");
    assertEquals("{}", rows.latest().toString());
  }

  @Test
  void presentRowsGoToRowsWithoutEventsAndChangesFollow() throws Exception {
    source.sql("CREATE TABLE orders (id int PRIMARY KEY, note text)");
    source.sql("INSERT INTO orders SELECT g, 'old' FROM generate_series(1, 5000) g");
    source.capture("orders").awaitCaptured("orders");
    source.sql("UPDATE orders SET note = 'changed' WHERE id = 4999");
    source.sql("INSERT INTO orders VALUES (5001, 'fresh')");

    assertEquals(2, events.changes(2).size());
    await().until(() -> rows.latest().size() == 5001);
    assertTrue(
        rows.latest().containsValue("{\"id\":4999,\"note\":\"changed\"}"), "the newest row wins");
    assertEquals(2, events.poll().size());
  }

  @Test
  void theCatalogTellsColumnsKeyAndState() throws Exception {
    source.sql("CREATE TABLE orders (id int, tenant text, PRIMARY KEY (tenant, id))");
    try (TopicLog catalog = source.catalog()) {
      source.capture("orders");
      String state = "{\"source\":\"" + source.name() + "\"}";
      await()
          .until(
              () -> catalog.latest().getOrDefault(state, "").contains("\"state\":\"STREAMING\""));
      assertEquals(
          "{\"schema\":\"public\",\"table\":\"orders\",\"source\":\""
              + source.name()
              + "\",\"strategy\":\"native\",\"columns\":[{\"name\":\"id\",\"dataType\":"
              + "\"integer\"},{\"name\":\"tenant\",\"dataType\":\"text\"}],"
              + "\"key\":[\"tenant\",\"id\"]}",
          catalog.latest().get("{\"table\":{\"schema\":\"public\",\"name\":\"orders\"}}"));
    }
  }
}
