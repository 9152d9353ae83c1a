package dev.rowcast.policy.lookup;

import dev.rowcast.event.JsonBytes;
import dev.rowcast.event.JsonObject;
import dev.rowcast.event.TableId;
import dev.rowcast.policy.eval.IndexSpec;
import dev.rowcast.policy.eval.RowIndex;
import dev.rowcast.policy.eval.RowLookup;
import dev.rowcast.policy.value.ValueException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The tables that rules look rows up in, each with the columns they may read. Answers nothing until
 * {@link #ready}: until then every rule that asks hides its rows.
 *
 * <p>One thread at a time applies changes; any thread asks.
 */
public final class RowIndexes implements RowLookup {
  private final Map<TableId, IndexedTable> tables = new HashMap<>();
  private final Map<TableId, Set<String>> columns;
  private volatile boolean ready;

  /**
   * @param columns by table, what rules may read of its rows: the rest is not kept
   */
  public RowIndexes(Map<TableId, Set<String>> columns) {
    this.columns = Map.copyOf(columns);
    columns.keySet().forEach(table -> tables.put(table, new IndexedTable()));
  }

  /** The tables that are followed. */
  public Set<TableId> tables() {
    return columns.keySet();
  }

  /** Whether columns of a table are followed. */
  public boolean follows(TableId table, Set<String> some) {
    return columns.getOrDefault(table, Set.of()).containsAll(some);
  }

  /**
   * A row as it is from now on.
   *
   * @param key the row's key columns
   * @param row null where it is gone
   */
  public void apply(TableId table, JsonObject key, @Nullable JsonObject row) {
    IndexedTable indexed = tables.get(table);
    if (indexed != null) {
      indexed.put(copy(key), row == null ? null : cut(row, columns.get(table)));
    }
  }

  /** All rows are known: from now on answers are given. */
  public void ready() {
    ready = true;
  }

  @Override
  public RowIndex index(IndexSpec spec) {
    return index(spec, IndexedTable::index);
  }

  /**
   * The rows about as they are now, for rules that are only tried out: nothing is kept for them.
   */
  public RowLookup passing() {
    return spec -> index(spec, IndexedTable::passing);
  }

  private RowIndex index(
      IndexSpec spec, BiFunction<IndexedTable, List<IndexSpec.KeyColumn>, RowIndex> index) {
    IndexedTable indexed = tables.get(spec.table());
    return indexed == null
        ? NONE.index(spec)
        : new Answering(spec, index.apply(indexed, spec.by()));
  }

  /** Answers once everything is known. Equal where the same is indexed. */
  private final class Answering implements RowIndex {
    private final IndexSpec spec;
    private final RowIndex index;

    Answering(IndexSpec spec, RowIndex index) {
      this.spec = spec;
      this.index = index;
    }

    @Override
    public boolean any(List<Object> key, Predicate<JsonObject> such) {
      if (!ready) {
        throw new ValueException("rows that a rule asks for aren't known yet");
      }
      return index.any(key, such);
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Answering o && spec.equals(o.spec);
    }

    @Override
    public int hashCode() {
      return spec.hashCode();
    }
  }

  private static JsonObject copy(JsonObject object) {
    return JsonObject.of(object.toByteArray());
  }

  /** The row with some columns only, in bytes of its own. */
  private static JsonObject cut(JsonObject row, Set<String> columns) {
    JsonBytes out = new JsonBytes(64).raw('{');
    boolean first = true;
    for (int i = 0; i < row.size(); i++) {
      if (columns.contains(row.name(i))) {
        if (!first) {
          out.raw(',');
        }
        first = false;
        out.raw(row.bytes(), row.memberStart(i), row.valueEnd(i) - row.memberStart(i));
      }
    }
    return JsonObject.of(out.raw('}').toByteArray());
  }
}
