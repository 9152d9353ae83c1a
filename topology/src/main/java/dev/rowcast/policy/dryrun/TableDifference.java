package dev.rowcast.policy.dryrun;

import dev.rowcast.event.JsonObject;
import dev.rowcast.event.TableId;
import java.util.List;
import java.util.Set;

/**
 * What becomes of one table for one reader.
 *
 * @param sees how many of the rows are seen now
 * @param wouldSee how many would be
 * @param gained how many that aren't seen now would be
 * @param lost how many that are seen now wouldn't be
 * @param gainedRows the row keys of the first that would be gained
 * @param lostRows the row keys of the first that would be lost
 * @param columnsGained columns that are absent now and wouldn't be, in rows that are seen both ways
 * @param columnsLost columns that would be absent
 * @param columnsMaskedOtherwise columns that would be masked, or masked no more, or in another way
 */
public record TableDifference(
    TableId table,
    long sees,
    long wouldSee,
    long gained,
    long lost,
    List<JsonObject> gainedRows,
    List<JsonObject> lostRows,
    Set<String> columnsGained,
    Set<String> columnsLost,
    Set<String> columnsMaskedOtherwise) {
  public TableDifference {
    gainedRows = List.copyOf(gainedRows);
    lostRows = List.copyOf(lostRows);
  }

  /** Whether anything is different at all. */
  public boolean any() {
    return gained > 0
        || lost > 0
        || !columnsGained.isEmpty()
        || !columnsLost.isEmpty()
        || !columnsMaskedOtherwise.isEmpty();
  }
}
