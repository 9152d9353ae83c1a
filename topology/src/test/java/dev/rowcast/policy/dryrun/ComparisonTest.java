package dev.rowcast.policy.dryrun;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rowcast.event.EventRecord;
import dev.rowcast.event.TableId;
import dev.rowcast.policy.ColumnRules;
import dev.rowcast.policy.Identity;
import dev.rowcast.policy.Policy;
import dev.rowcast.policy.RowFilter;
import dev.rowcast.policy.Scope;
import dev.rowcast.policy.TableAccess;
import dev.rowcast.policy.View;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ComparisonTest {
  private static final TableId ORDERS = new TableId("public", "orders");
  private static final Identity READER = new Identity("u", "analyst", Map.of(), Scope.ALL);

  private static EventRecord event(long id, String op, int key, String data) {
    String event =
        "{\"schema\":\"public\",\"table\":\"orders\",\"op\":\"%s\",\"rowKey\":{\"id\":%d}%s}"
            .formatted(op, key, data == null ? "" : ",\"data\":" + data);
    return EventRecord.parse(id - 1, event.getBytes(StandardCharsets.UTF_8), null);
  }

  private static EventRecord insert(long id, int key) {
    return event(id, "insert", key, "{\"id\":" + key + ",\"note\":\"n\"}");
  }

  /** All rows or none, in these columns. */
  private record Fixed(boolean rows, Set<String> hidden) implements View {
    @Override
    public Optional<TableAccess> access(TableId table) {
      return rows
          ? Optional.of(
              new TableAccess(
                  new RowFilter.Everything(), new ColumnRules(null, hidden, Map.of(), true)))
          : Optional.empty();
    }
  }

  private static List<TableDifference> compare(View now, View proposed, LatestRows rows) {
    Policy before = identity -> now;
    Policy after = identity -> proposed;
    return new Comparison(before, after, rows.byTable(), 1, () -> false).of(READER).orElseThrow();
  }

  private static LatestRows rows(EventRecord... events) {
    LatestRows rows = new LatestRows(1 << 20);
    for (EventRecord event : events) {
      rows.add(event);
    }
    return rows;
  }

  @Test
  void rowsThatWouldBeGainedOrLostAreCountedAndTheLatestNamed() {
    LatestRows rows = rows(insert(1, 7), insert(2, 8));
    View all = new Fixed(true, Set.of());
    View none = new Fixed(false, Set.of());
    TableDifference lost = compare(all, none, rows).get(0);
    assertEquals(ORDERS, lost.table());
    assertEquals(List.of(2L, 0L, 0L, 2L), counts(lost));
    assertEquals("[{\"id\":8}]", lost.lostRows().toString());
    assertEquals(List.of(0L, 2L, 2L, 0L), counts(compare(none, all, rows).get(0)));
    assertEquals(List.of(), compare(all, all, rows));
  }

  private static List<Long> counts(TableDifference difference) {
    return List.of(
        difference.sees(), difference.wouldSee(), difference.gained(), difference.lost());
  }

  @Test
  void columnsThatWouldBeGainedOrLostAreNamed() {
    View all = new Fixed(true, Set.of());
    View without = new Fixed(true, Set.of("note"));
    LatestRows rows = rows(insert(1, 7));
    assertEquals(Set.of("note"), compare(all, without, rows).get(0).columnsLost());
    assertEquals(Set.of("note"), compare(without, all, rows).get(0).columnsGained());
  }

  @Test
  void onlyTheLatestImageOfARowThatIsThereIsJudged() {
    LatestRows rows = rows(insert(1, 7), insert(2, 8), event(3, "delete", 7, null), insert(4, 8));
    assertEquals(1, rows.size());
    assertEquals(4, rows.byTable().get(ORDERS).get(0).id());
    rows.remove(insert(5, 8));
    assertEquals(0, rows.size());
  }

  @Test
  void theRowsThatChangedLongestAgoAreLetGoOfFirst() {
    LatestRows rows = new LatestRows(200);
    for (int i = 1; i <= 10; i++) {
      rows.add(insert(i, i));
    }
    assertTrue(rows.leftOut() > 0);
    assertEquals(10, rows.size() + rows.leftOut());
    assertEquals(10, rows.byTable().get(ORDERS).get(0).id());
  }

  @Test
  void whereTimeIsUpNothingMoreIsAnswered() {
    Policy policy = identity -> new Fixed(true, Set.of());
    Policy other = identity -> new Fixed(false, Set.of());
    Comparison comparison =
        new Comparison(policy, other, rows(insert(1, 7)).byTable(), 1, () -> true);
    assertEquals(Optional.empty(), comparison.of(READER));
  }
}
