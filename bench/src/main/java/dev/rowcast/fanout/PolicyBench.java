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
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.function.IntToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * {@code bench/policy}: what a predicate costs per row, what it costs to find who gets an event
 * among many audiences, and what compiling costs. Each figure is the median of rounds after
 * warm-up; what is computed is summed up and printed, so that nothing is left out.
 */
public final class PolicyBench {
  private static final TableId ORDERS = new TableId("public", "orders");
  private static final String TYPICAL = "tenant_id = :t AND amount < 100";
  private static final int ROUNDS = 9;
  private static final int WARM_UP = 4;
  private static final long ROUND_NANOS = 400_000_000L;
  private static final int ROWS = 64; // a row that was just parsed is in the cache;

  private long sum;

  private PolicyBench() {}

  /** Measures and prints. */
  public static void main(String[] args) {
    PolicyBench bench = new PolicyBench();
    bench.evaluate(TYPICAL);
    bench.evaluate("region IN ('emea', 'apac') AND amount < :limit");
    bench.evaluate("owner = :sub OR dept = ANY (:depts)");
    for (int audiences : new int[] {100, 1_000, 10_000, 100_000}) {
      bench.match(audiences);
    }
    bench.print(
        "compile " + TYPICAL,
        i -> compile(TYPICAL).bind(claims(i % 100)::get).hashCode(),
        "µs",
        1e-3);
    System.out.println("(" + bench.sum + ")");
  }

  private void evaluate(String predicate) {
    JsonObject[] rows = rows(20);
    CompiledPredicate.Bound bound = compile(predicate).bind(claims(7)::get);
    print("test " + predicate, i -> bound.test(rows[i & (ROWS - 1)]) ? 1 : 0, "ns", 1);
  }

  private void match(int audiences) {
    TableIndex<One> index = new TableIndex<>();
    CompiledPredicate predicate = compile(TYPICAL);
    Renderers renderers = new Renderers();
    for (int i = 0; i < audiences; i++) {
      RowFilter rows = new RowFilter.Ruled(List.of(predicate.bind(claims(i)::get)), () -> {});
      Audience audience =
          new Audience(new Seen(rows), null, Set.of(Op.values()), Audience.Numbers.NUMBER, false);
      One one = new One(new Matcher(audience, new NoTables(), renderers));
      index.add(one, Objects.requireNonNull(one.matcher().access(ORDERS)));
    }
    EventRecord[] events = new EventRecord[ROWS];
    JsonObject[] rows = rows(audiences);
    for (int i = 0; i < ROWS; i++) {
      events[i] = event(i, rows[i]);
    }
    long[] hits = new long[1];
    double nanos =
        print(
            "match one event, " + audiences + " audiences",
            i -> {
              index.match(events[i & (ROWS - 1)], (member, access, verdict) -> hits[0]++);
              return hits[0];
            },
            "ns",
            1);
    System.out.printf("  = %.1f million events/s%n", 1e3 / nanos);
  }

  /** The median of all rounds, in nanoseconds. */
  private double print(String what, IntToLongFunction work, String unit, double scale) {
    double[] rounds = new double[ROUNDS];
    for (int round = -WARM_UP; round < ROUNDS; round++) {
      long start = System.nanoTime();
      long end = start;
      int done = 0;
      while (end - start < ROUND_NANOS) {
        for (int i = 0; i < ROWS; i++) {
          sum += work.applyAsLong(done + i);
        }
        done += ROWS;
        end = System.nanoTime();
      }
      rounds[Math.max(0, round)] = (double) (end - start) / done;
    }
    Arrays.sort(rounds);
    double median = rounds[ROUNDS / 2];
    System.out.printf(
        "%-62s %8.1f %s (%.1f–%.1f)%n",
        what, median * scale, unit, rounds[0] * scale, rounds[ROUNDS - 1] * scale);
    return median;
  }

  private static CompiledPredicate compile(String predicate) {
    var typed = Analyser.analyse(Parser.parse(predicate), ORDERS, "orders", new Columns());
    return CompiledPredicate.compile(typed.predicate(), RowLookup.NONE, InstantSource.system());
  }

  private static Map<String, Object> claims(int tenant) {
    return Map.of("t", "t" + tenant, "limit", 50L, "sub", "u7", "depts", List.of("sales", "ops"));
  }

  private static JsonObject[] rows(int tenants) {
    Random random = new Random(1);
    JsonObject[] rows = new JsonObject[ROWS];
    for (int i = 0; i < ROWS; i++) {
      String json =
          """
          {"id":%d,"tenant_id":"t%d","region":"%s","amount":%d.50,"owner":"u%d","dept":"%s",\
          "status":"open","note":"some words that nobody asks for","created_at":"2026-11-30T20:12:31Z"}"""
              .formatted(
                  i,
                  random.nextInt(tenants),
                  List.of("emea", "apac", "amer").get(random.nextInt(3)),
                  random.nextInt(200),
                  random.nextInt(20),
                  List.of("sales", "ops", "hr").get(random.nextInt(3)));
      rows[i] = JsonObject.of(json.getBytes(StandardCharsets.UTF_8));
    }
    return rows;
  }

  private static EventRecord event(int i, JsonObject row) {
    JsonObject key = JsonObject.of(("{\"id\":" + i + "}").getBytes(StandardCharsets.UTF_8));
    EncodedChange change =
        EventCodec.encode(
            new RowChange(ORDERS, Op.INSERT, Instant.EPOCH, key, row, null, null),
            EventCodec.MAX_RECORD_BYTES);
    return EventRecord.parse(i, change.event(), null);
  }

  private record One(Matcher matcher) implements TableIndex.Member {}

  private record Seen(RowFilter rows) implements View {
    @Override
    public Optional<TableAccess> access(TableId table) {
      return Optional.of(new TableAccess(rows, ColumnRules.ALL));
    }
  }

  private record NoTables() implements Catalog {
    @Override
    public List<TableDescriptor> tables() {
      return List.of();
    }

    @Override
    public Optional<TableDescriptor> table(TableId table) {
      return Optional.empty();
    }

    @Override
    public List<SourceStatus> sources() {
      return List.of();
    }
  }

  private record Columns() implements TableColumns {
    @Override
    public Optional<TableId> table(@Nullable String schema, String name) {
      return Optional.of(ORDERS);
    }

    @Override
    public Known columns(TableId table) {
      return new Known(
          List.of(
              Column.of("tenant_id", "text"),
              Column.of("region", "text"),
              Column.of("amount", "numeric(10,2)"),
              Column.of("owner", "text"),
              Column.of("dept", "text")),
          true);
    }
  }
}
