package dev.rowcast.fanout;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.rowcast.event.EncodedChange;
import dev.rowcast.event.EventRecord;
import dev.rowcast.event.Op;
import dev.rowcast.event.TableId;
import dev.rowcast.policy.ColumnRules;
import dev.rowcast.policy.RowFilter;
import dev.rowcast.policy.Scalar;
import dev.rowcast.policy.TableAccess;
import dev.rowcast.policy.View;
import java.math.BigDecimal;
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
  private final long seed = Long.getLong("index.seed", System.nanoTime());
  private final Random random = new Random(seed);

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
    List<Someone> members = new ArrayList<>();
    for (int i = 0; i < 1_000; i++) {
      if (members.isEmpty() || random.nextInt(3) > 0) {
        Someone someone = someone(i);
        members.add(someone);
        index.add(someone, access(someone));
      } else {
        index.remove(members.remove(random.nextInt(members.size())));
      }
      EventRecord event = event(i + 1);
      Map<Someone, Verdict> found = new HashMap<>();
      index.match(
          event,
          (member, access, verdict) ->
              assertEquals(null, found.put(member, verdict), "twice, seed " + seed));
      assertEquals(asked(members, event), found, "seed " + seed + ", event " + event.event());
    }
  }

  private static Map<Someone, Verdict> asked(List<Someone> members, EventRecord event) {
    Map<Someone, Verdict> asked = new HashMap<>();
    for (Someone member : members) {
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
        switch (random.nextInt(8)) {
          case 0 -> new RowFilter.Everything();
          case 1 -> new RowFilter.Nothing();
          case 2, 3 -> new RowFilter.ColumnEquals("amount", number());
          default -> new RowFilter.ColumnEquals("region", new Scalar.Text(region()));
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

  private Scalar number() {
    return new Scalar.Numeric(BigDecimal.valueOf(random.nextInt(5)));
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
    return "{\"id\":%d,\"region\":%s,\"amount\":%s}".formatted(id, region, amount);
  }
}
