package dev.rowcast.fanout;

import dev.rowcast.catalog.Catalog;
import dev.rowcast.event.Column;
import dev.rowcast.event.EncodedChange;
import dev.rowcast.event.EventCodec;
import dev.rowcast.event.EventRecord;
import dev.rowcast.event.JsonObject;
import dev.rowcast.event.Op;
import dev.rowcast.event.RowChange;
import dev.rowcast.event.TableId;
import dev.rowcast.policy.ColumnRules;
import dev.rowcast.policy.RowFilter;
import dev.rowcast.policy.TableAccess;
import dev.rowcast.policy.View;
import dev.rowcast.policy.eval.CompiledPredicate;
import dev.rowcast.policy.eval.RowLookup;
import dev.rowcast.policy.sql.Analyser;
import dev.rowcast.policy.sql.Parser;
import dev.rowcast.policy.sql.TableColumns;
import dev.rowcast.source.SourceStatus;
import dev.rowcast.source.TableDescriptor;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Events, views and a catalog for tests. */
public final class Events {
  public static final TableId ORDERS = new TableId("public", "orders");
  private static final Instant OCCURRED = Instant.parse("2026-11-30T20:12:31.123456Z");

  private Events() {}

  public static JsonObject json(String json) {
    return JsonObject.of(json.getBytes(StandardCharsets.UTF_8));
  }

  public static EncodedChange insert(TableId table, long key, String row) {
    return encode(Op.INSERT, table, key, row, null);
  }

  public static EncodedChange update(TableId table, long key, String row, @Nullable String before) {
    return encode(Op.UPDATE, table, key, row, before);
  }

  public static EncodedChange delete(TableId table, long key, @Nullable String before) {
    return encode(Op.DELETE, table, key, null, before);
  }

  private static EncodedChange encode(
      Op op, TableId table, long key, @Nullable String row, @Nullable String before) {
    return EventCodec.encode(
        new RowChange(
            table,
            op,
            OCCURRED,
            json("{\"id\":" + key + "}"),
            row == null ? null : json(row),
            before == null ? null : json(before),
            json("{\"sub\":\"u-7\"}")),
        EventCodec.MAX_RECORD_BYTES);
  }

  public static EventRecord at(long id, EncodedChange change) {
    return EventRecord.parse(id - 1, change.event(), change.before());
  }

  /** Sees all of every table. */
  public record Open() implements View {
    @Override
    public Optional<TableAccess> access(TableId table) {
      return Optional.of(new TableAccess(new RowFilter.Everything(), ColumnRules.ALL));
    }
  }

  /** Sees the rows of every table whose region is this one. */
  public record Region(String region) implements View {
    @Override
    public Optional<TableAccess> access(TableId table) {
      return Optional.of(
          new TableAccess(where("region = :region", Map.of("region", region)), ColumnRules.ALL));
    }
  }

  /** The rows of {@link #ORDERS} that a predicate lets through. */
  public static RowFilter where(String predicate, Map<String, Object> claims) {
    return where(predicate, claims, RowLookup.NONE);
  }

  /** As {@link #where(String, Map)}, with the rows of {@code members(id, project, owner)}. */
  public static RowFilter where(String predicate, Map<String, Object> claims, RowLookup lookup) {
    var typed = Analyser.analyse(Parser.parse(predicate), ORDERS, "orders", new Columns());
    var compiled = CompiledPredicate.compile(typed.predicate(), lookup, InstantSource.system());
    return new RowFilter.Ruled(List.of(compiled.bind(claims::get)), () -> {});
  }

  private record Columns() implements TableColumns {
    @Override
    public Optional<TableId> table(@Nullable String schema, String name) {
      return Optional.of(new TableId("public", name));
    }

    @Override
    public Known columns(TableId table) {
      return new Known(
          List.of(
              Column.of("id", "bigint"),
              Column.of("region", "text"),
              Column.of("amount", "numeric(10,2)"),
              Column.of("project", "bigint"),
              Column.of("owner", "text")),
          true);
    }
  }

  public static Audience audience(View view) {
    return new Audience(view, null, Set.of(Op.values()), Audience.Numbers.NUMBER, false);
  }

  public static Audience withLeaves(View view) {
    return new Audience(view, null, Set.of(Op.values()), Audience.Numbers.NUMBER, true);
  }

  /** Knows these tables. */
  public record Tables(Map<TableId, TableDescriptor> byId) implements Catalog {
    public static final Tables NONE = new Tables(Map.of());

    @Override
    public List<TableDescriptor> tables() {
      return List.copyOf(byId.values());
    }

    @Override
    public Optional<TableDescriptor> table(TableId table) {
      return Optional.ofNullable(byId.get(table));
    }

    @Override
    public List<SourceStatus> sources() {
      return List.of();
    }
  }
}
