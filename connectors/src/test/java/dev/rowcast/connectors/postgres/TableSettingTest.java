package dev.rowcast.connectors.postgres;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rowcast.config.TableConfig.NotifyMode;
import dev.rowcast.event.TableId;
import java.util.List;
import org.junit.jupiter.api.Test;

class TableSettingTest {

  @Test
  void namesWithoutSchemaAreOfPublic() {
    assertEquals(
        List.of(
            TableSetting.of(new TableId("public", "orders")),
            TableSetting.of(new TableId("crm", "Customers.old"))),
        TableSetting.parse(" orders , crm.Customers.old,"));
  }

  @Test
  void everythingSaidOfATableSurvivesPrintingAndParsing() {
    List<TableSetting> tables =
        List.of(
            new TableSetting(
                new TableId("a.b", "c,\"d"), List.of("x", "y"), NotifyMode.READER, "updated_at"),
            TableSetting.of(new TableId("public", "t")));
    assertEquals(tables, TableSetting.parse(TableSetting.print(tables)));
    assertEquals(List.of(), TableSetting.parse("[]"));
    assertEquals(List.of(), TableSetting.parse(""));
  }

  @Test
  void malformedListSaysWhatWasExpected() {
    for (String malformed : new String[] {"[{", "[{\"schema\":\"s\"}]", "[1]"}) {
      String message =
          assertThrows(IllegalArgumentException.class, () -> TableSetting.parse(malformed))
              .getMessage();
      assertTrue(message.contains("expected"), message);
    }
  }
}
