package dev.rowcast.policy.dryrun;

import dev.rowcast.event.EventRecord;
import dev.rowcast.event.JsonObject;
import dev.rowcast.event.TableId;
import dev.rowcast.policy.ColumnRules;
import dev.rowcast.policy.Identity;
import dev.rowcast.policy.Policy;
import dev.rowcast.policy.RowFilter;
import dev.rowcast.policy.TableAccess;
import dev.rowcast.policy.View;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;

/**
 * Compares what two policies show of the same rows. Readers whose views are equal by both are
 * judged once. Belongs to one thread.
 */
public final class Comparison {
  private static final RowFilter NOTHING = new RowFilter.Nothing();
  private static final int ROWS_BETWEEN_LOOKS = 512;

  private final Policy now;
  private final Policy proposed;
  private final Map<TableId, List<EventRecord>> rows;
  private final int examples;
  private final BooleanSupplier timeIsUp;
  private final Map<Views, List<TableDifference>> judged = new HashMap<>();

  private record Views(View now, View proposed) {}

  /**
   * @param rows what is judged, by table; events with data
   * @param examples how many row keys are named of each kind, by reader and table
   * @param timeIsUp asked now and then; where it is, {@link #of} answers nothing more
   */
  public Comparison(
      Policy now,
      Policy proposed,
      Map<TableId, List<EventRecord>> rows,
      int examples,
      BooleanSupplier timeIsUp) {
    this.now = now;
    this.proposed = proposed;
    this.rows = rows;
    this.examples = examples;
    this.timeIsUp = timeIsUp;
  }

  /**
   * The tables that would be different for a reader; empty where time is up before all of them are
   * judged.
   */
  public Optional<List<TableDifference>> of(Identity reader) {
    Views views = new Views(now.view(reader), proposed.view(reader));
    List<TableDifference> known = judged.get(views);
    if (known != null) {
      return Optional.of(known);
    }
    List<TableDifference> different = new ArrayList<>();
    for (Map.Entry<TableId, List<EventRecord>> table : rows.entrySet()) {
      Optional<TableDifference> difference = compare(views, table.getKey(), table.getValue());
      if (difference.isEmpty()) {
        return Optional.empty();
      }
      difference.filter(TableDifference::any).ifPresent(different::add);
    }
    judged.put(views, List.copyOf(different));
    return Optional.of(different);
  }

  private Optional<TableDifference> compare(Views views, TableId table, List<EventRecord> rows) {
    Optional<TableAccess> before = views.now().access(table);
    Optional<TableAccess> after = views.proposed().access(table);
    RowFilter shown = before.map(TableAccess::rows).orElse(NOTHING);
    RowFilter wouldShow = after.map(TableAccess::rows).orElse(NOTHING);
    Count count = new Count();
    for (int i = 0; i < rows.size(); i++) {
      if (i % ROWS_BETWEEN_LOOKS == 0 && timeIsUp.getAsBoolean()) {
        return Optional.empty();
      }
      JsonObject row = rows.get(i).data();
      if (row != null) {
        count.add(shown.test(row), wouldShow.test(row), rows.get(i));
      }
    }
    ColumnRules was = before.map(TableAccess::columns).orElse(ColumnRules.ALL);
    ColumnRules willBe = after.map(TableAccess::columns).orElse(ColumnRules.ALL);
    return Optional.of(count.difference(table, was, willBe));
  }

  private final class Count {
    private final List<JsonObject> gainedRows = new ArrayList<>();
    private final List<JsonObject> lostRows = new ArrayList<>();
    private final Set<String> columns = new TreeSet<>(); // of what is seen both ways
    private long sees;
    private long wouldSee;
    private long gained;
    private long lost;

    void add(boolean seen, boolean wouldBeSeen, EventRecord row) {
      sees += seen ? 1 : 0;
      wouldSee += wouldBeSeen ? 1 : 0;
      if (seen && wouldBeSeen) {
        JsonObject data = row.data();
        if (data != null && columns.size() < data.size()) {
          columns.addAll(data.names());
        }
      } else if (seen) {
        lost++;
        example(lostRows, row);
      } else if (wouldBeSeen) {
        gained++;
        example(gainedRows, row);
      }
    }

    private void example(List<JsonObject> some, EventRecord row) {
      if (some.size() < examples) {
        some.add(row.rowKey());
      }
    }

    TableDifference difference(TableId table, ColumnRules was, ColumnRules willBe) {
      Set<String> columnsGained = new TreeSet<>();
      Set<String> columnsLost = new TreeSet<>();
      Set<String> masked = new TreeSet<>();
      for (String column : columns) {
        boolean shown = was.shows(column);
        if (shown != willBe.shows(column)) {
          (shown ? columnsLost : columnsGained).add(column);
        } else if (shown
            && !Optional.ofNullable(was.masks().get(column))
                .equals(Optional.ofNullable(willBe.masks().get(column)))) {
          masked.add(column);
        }
      }
      return new TableDifference(
          table,
          sees,
          wouldSee,
          gained,
          lost,
          gainedRows,
          lostRows,
          columnsGained,
          columnsLost,
          masked);
    }
  }
}
