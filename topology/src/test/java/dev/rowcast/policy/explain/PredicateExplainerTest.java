package dev.rowcast.policy.explain;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rowcast.event.Column;
import dev.rowcast.event.JsonObject;
import dev.rowcast.event.TableId;
import dev.rowcast.policy.eval.RowLookup;
import dev.rowcast.policy.sql.TableColumns;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PredicateExplainerTest {
  private static final TableId ORDERS = new TableId("public", "orders");
  private static final JsonObject ROW =
      JsonObject.of(
          "{\"t\":true,\"f\":false,\"u\":null,\"region\":\"hush\",\"amount\":0}"
              .getBytes(StandardCharsets.UTF_8));
  private static final Map<String, Object> CLAIMS = Map.of("region", "hush", "number", 5L);

  /** Of the table {@code orders} what {@link #ROW} has; {@code later} isn't known yet. */
  private static final class Columns implements TableColumns {
    @Override
    public Optional<TableId> table(@Nullable String schema, String name) {
      return name.equals("orders") ? Optional.of(ORDERS) : Optional.empty();
    }

    @Override
    public Known columns(TableId table) {
      return new Known(
          List.of(
              Column.of("t", "boolean"),
              Column.of("f", "boolean"),
              Column.of("u", "boolean"),
              Column.of("region", "text"),
              Column.of("amount", "integer")),
          false);
    }
  }

  private static Judged judge(String filter) {
    return new PredicateExplainer(ORDERS, new Columns(), RowLookup.NONE, CLAIMS::get, ROW)
        .judge(filter);
  }

  /** The outcomes, parts in brackets. */
  private static String told(Judged judged) {
    List<String> parts = new ArrayList<>();
    judged.parts().forEach(part -> parts.add(told(part)));
    return judged.outcome().wire() + (parts.isEmpty() ? "" : parts.toString());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          t                            | true
          f                            | false
          u                            | unknown
          t AND t                      | true[true, true]
          t AND f                      | false[true, false]
          t AND u                      | unknown[true, unknown]
          f AND u                      | false[false, unknown]
          u AND f                      | false[unknown, false]
          u AND u                      | unknown[unknown, unknown]
          t AND u AND f                | false[true, unknown, false]
          f OR f                       | false[false, false]
          f OR t                       | true[false, true]
          f OR u                       | unknown[false, unknown]
          u OR t                       | true[unknown, true]
          u OR u                       | unknown[unknown, unknown]
          NOT t                        | false[true]
          NOT f                        | true[false]
          NOT u                        | unknown[unknown]
          NOT (t AND u)                | unknown[unknown[true, unknown]]
          NOT (f AND u)                | true[false[false, unknown]]
          NOT (f OR u)                 | unknown[unknown[false, unknown]]
          t AND (f OR NOT u)           | unknown[true, unknown[false, unknown[unknown]]]
          u IS UNKNOWN                 | true
          u IS NOT NULL                | false
          region NOT IN ('x', NULL)    | unknown
          region = :region AND t       | true[true, true]
          region = :nobody OR t        | claim-missing[claim-missing, true]
          :number = amount AND f       | false[false, false]
          1 / amount = 1 AND t         | failed[failed, true]
          f AND 1 / amount = 1         | false[false, failed]
          later AND t                  | not-usable[not-usable, true]
          """)
  void everyPartIsJudgedInThreeValuedLogic(String filter, String outcomes) {
    assertEquals(outcomes, told(judge(filter)));
  }

  @Test
  void partsAreToldAsTheyAreWritten() {
    Judged judged = judge(" t  AND NOT ( Region='x' or  u ) ");
    assertEquals("t  AND NOT ( Region='x' or  u )", judged.sql());
    assertEquals("t", judged.parts().get(0).sql());
    Judged not = judged.parts().get(1);
    assertEquals("NOT ( Region='x' or  u )", not.sql());
    assertEquals(
        List.of("Region='x'", "u"), not.parts().get(0).parts().stream().map(Judged::sql).toList());
  }

  @Test
  void noValueOfTheRowOrTheCallerIsTold() {
    for (String filter :
        List.of(
            "region = :region", "region::integer = 1", "amount / amount = 1", "region = :nobody")) {
      assertFalse(judge(filter).toString().contains("hush"), filter);
    }
  }

  @Test
  void aMultitudeOfPartsIsToldInPart() {
    Judged judged = judge("t" + " AND t".repeat(400));
    assertEquals(Outcome.TRUE, judged.outcome());
    assertTrue(judged.parts().size() < 400, "told in part");
  }

  @Test
  void aLookUpThatIsNotAnsweredIsNotTrue() {
    Judged judged = judge("EXISTS (SELECT 1 FROM orders o WHERE o.region = orders.region)");
    assertEquals(Outcome.FAILED, judged.outcome());
  }
}
