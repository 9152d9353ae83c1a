package dev.rowcast.fanout;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.rowcast.event.EncodedChange;
import dev.rowcast.event.EventRecord;
import dev.rowcast.event.Op;
import dev.rowcast.event.TableId;
import dev.rowcast.policy.ColumnRules;
import dev.rowcast.policy.RowFilter;
import dev.rowcast.policy.TableAccess;
import dev.rowcast.policy.View;
import dev.rowcast.policy.lookup.RowIndexes;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class TableIndexTest {
  private static final TableId MEMBERS = new TableId("public", "members");

  private final long seed = Long.getLong("index.seed", System.nanoTime());
  private final Random random = new Random(seed);
  private final RowIndexes members = new RowIndexes(Map.of(MEMBERS, Set.of("project", "owner")));

  private record Filtered(RowFilter rows) implements View {
    @Override
    public Optional<TableAccess> access(TableId table) {
      return Optional.of(new TableAccess(rows, ColumnRules.ALL));
    }
  }

  /** Identity says which; matchers are not compared. */
  private record Someone(int number, Matcher matcher) implements TableIndex.Member {}

  @Test
  void theIndexFindsExactlyWhomAskingEachWouldFind() {
    System.out.println("TableIndexTest: -Dindex.seed=" + seed);
    TableIndex<Someone> index = new TableIndex<>();
    List<Someone> all = new ArrayList<>();
    members.ready();
    for (int i = 0; i < 1_000; i++) {
      if (all.isEmpty() || random.nextInt(3) > 0) {
        Someone someone = someone(i);
        all.add(someone);
        index.add(someone, access(someone));
      } else {
        index.remove(all.remove(random.nextInt(all.size())));
      }
      member(random.nextInt(20));
      EventRecord event = event(i + 1);
      Map<Someone, Verdict> found = new HashMap<>();
      index.match(
          event,
          (member, access, verdict) ->
              assertEquals(null, found.put(member, verdict), "twice, seed " + seed));
      assertEquals(asked(all, event), found, "seed " + seed + ", event " + event.event());
    }
  }

  /** A membership comes, changes or goes. */
  private void member(int id) {
    members.apply(
        MEMBERS,
        Events.json("{\"id\":" + id + "}"),
        random.nextInt(3) == 0
            ? null
            : Events.json("{\"project\":" + random.nextInt(4) + ",\"owner\":\"" + owner() + "\"}"));
  }

  private static Map<Someone, Verdict> asked(List<Someone> all, EventRecord event) {
    Map<Someone, Verdict> asked = new HashMap<>();
    for (Someone member : all) {
      Verdict verdict = member.matcher().judge(access(member), event, new OldRow(event));
      if (verdict != Verdict.HIDDEN) {
        asked.put(member, verdict);
      }
    }
    return asked;
  }

  private static Matcher.Access access(Someone member) {
    Matcher.Access access = member.matcher().access(Events.ORDERS);
    if (access == null) {
      throw new AssertionError("no access");
    }
    return access;
  }

  private Someone someone(int number) {
    RowFilter rows =
        switch (random.nextInt(12)) {
          case 0 -> new RowFilter.Everything();
          case 1 -> new RowFilter.Nothing();
          case 2, 3 -> where("amount = :n", Map.of("n", (long) random.nextInt(5)));
          case 4 -> where("amount < :n", Map.of("n", (long) random.nextInt(5)));
          case 5 ->
              where(
                  "region = :r AND amount <> :n",
                  Map.of("r", region(), "n", (long) random.nextInt(5)));
          case 6 ->
              where(
                  "region = :r OR amount = :n",
                  Map.of("r", region(), "n", (long) random.nextInt(5)));
          case 7 -> where("region = ANY (:r)", Map.of("r", List.of(region(), region())));
          case 8, 9 ->
              where(
                  "EXISTS (SELECT 1 FROM members m WHERE m.project = orders.project"
                      + " AND m.owner = :sub)",
                  Map.of("sub", owner()));
          default -> where("region = :r", Map.of("r", region()));
        };
    EnumSet<Op> ops = EnumSet.allOf(Op.class);
    ops.removeIf(op -> random.nextInt(5) == 0);
    Audience audience =
        new Audience(
            new Filtered(rows),
            null,
            Set.copyOf(ops),
            Audience.Numbers.NUMBER,
            random.nextBoolean());
    return new Someone(number, new Matcher(audience, Events.Tables.NONE, new Renderers()));
  }

  private RowFilter where(String predicate, Map<String, Object> claims) {
    return Events.where(predicate, claims, members);
  }

  private String owner() {
    return "u" + random.nextInt(4);
  }

  private String region() {
    return "r" + random.nextInt(6);
  }

  private EventRecord event(long id) {
    EncodedChange change =
        switch (random.nextInt(4)) {
          case 0 -> Events.delete(Events.ORDERS, id, row(id));
          case 1 -> Events.insert(Events.ORDERS, id, row(id));
          case 2 -> Events.update(Events.ORDERS, id, row(id), null);
          default -> Events.update(Events.ORDERS, id, row(id), row(id));
        };
    return Events.at(id, change);
  }

  private String row(long id) {
    String region = random.nextInt(6) == 0 ? "null" : "\"" + region() + "\"";
    String amount = random.nextInt(5) + (random.nextBoolean() ? ".00" : "");
    return "{\"id\":%d,\"region\":%s,\"amount\":%s,\"project\":%d}"
        .formatted(id, region, amount, random.nextInt(4));
  }
}
