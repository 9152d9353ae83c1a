package dev.rowcast.connectors.postgres;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.rowcast.connectors.postgres.OutboxPosition.Identity;
import dev.rowcast.connectors.postgres.TableProgress.State;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What Connect stores comes back as it was. */
class OffsetsTest {
  private static final Identity OUTBOX = new Identity("7", "00000001", 5, "e");

  @Test
  void positionInsideAWindowAndBetweenTwo() {
    OutboxPosition inside = new OutboxPosition(OUTBOX, "1:1:", "3:9:4,5", 8, 7);
    OutboxPosition between = OutboxPosition.after(OUTBOX, "3:9:4,5");
    assertEquals(inside, OutboxPosition.ofOffset(inside.toOffset()));
    assertEquals(between, OutboxPosition.ofOffset(between.toOffset()));
  }

  @Test
  void progressOfATableWithTheKeyItReached() {
    TableProgress page = new TableProgress(State.SNAPSHOT, 42, List.of("a\"b", "é", ""));
    TableProgress done = TableProgress.of(State.DONE, 42);
    assertEquals(page, TableProgress.ofOffset(page.toOffset()));
    assertEquals(done, TableProgress.ofOffset(done.toOffset()));
  }
}
