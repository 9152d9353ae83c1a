package dev.rowcast.event;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ColumnTypeTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          numeric(10,2)                  | DECIMAL
          ' NUMERIC ( 10 , 2 ) '         | DECIMAL
          character varying(20)          | TEXT
          timestamp(3) with time zone    | TIMESTAMP_TZ
          timestamp  without time  zone  | TIMESTAMP
          timestamptz(6)                 | TIMESTAMP_TZ
          time(3) without time zone      | TIME
          double   precision             | DOUBLE
          bigint                         | BIGINT
          jsonb                          | JSON
          mood                           | OTHER
          ''                             | OTHER
          """)
  void namesOfTypesAreUnderstood(String name, ColumnType.Scalar expected) {
    assertEquals(expected, ColumnType.ofSqlName(name));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          text[]            | TEXT
          numeric(10,2)[]   | DECIMAL
          integer[][]       | INTEGER
          integer[] []      | INTEGER
          mood[]            | OTHER
          """)
  void arraysHaveOneElementTypeAtAnyDepth(String name, ColumnType.Scalar element) {
    assertEquals(new ColumnType.Array(element), ColumnType.ofSqlName(name));
  }

  @Test
  void opsHaveTheirWireForms() {
    for (Op op : Op.values()) {
      assertEquals(op, Op.ofWire(op.wire()).orElseThrow());
      assertTrue(Op.ofWire(op.name()).isEmpty());
    }
    assertTrue(Op.ofWire("").isEmpty());
  }

  @Test
  void tablesAreOrderedBySchemaThenName() {
    TableId a = new TableId("a", "z");
    TableId b = new TableId("b", "a");
    TableId c = new TableId("b", "b");
    assertEquals(List.of(a, b, c), List.of(c, b, a).stream().sorted().toList());
    assertEquals("a.z", a.toString());
    assertThrows(IllegalArgumentException.class, () -> new TableId("", "a"));
    assertThrows(IllegalArgumentException.class, () -> new TableId("a", ""));
  }
}
