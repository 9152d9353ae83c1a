package dev.rowcast.fanout;

import dev.rowcast.bench.Orders;
import dev.rowcast.catalog.Catalog;
import dev.rowcast.event.EncodedChange;
import dev.rowcast.event.EventCodec;
import dev.rowcast.event.EventRecord;
import dev.rowcast.event.JsonObject;
import dev.rowcast.event.Op;
import dev.rowcast.event.RowChange;
import dev.rowcast.event.TableId;
import dev.rowcast.policy.Policy;
import dev.rowcast.source.SourceStatus;
import dev.rowcast.source.TableDescriptor;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** Finding who gets an event among many with a tenant each; every event has exactly one. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
public class MatchBenchmark {
  private static final int EVENTS = 4_096;

  @Param({"100", "1000", "10000", "100000"})
  private int subscribers;

  private final TableIndex<Someone> index = new TableIndex<>();
  private final EventRecord[] events = new EventRecord[EVENTS];
  private int hits;

  private record Someone(int number, Matcher matcher) implements TableIndex.Member {}

  @Setup
  public void subscribe() {
    Policy policy = Orders.policy("tenant_id = :t");
    Renderers renderers = new Renderers();
    for (int i = 0; i < subscribers; i++) {
      Audience audience =
          new Audience(
              policy.view(Orders.member(i)),
              null,
              Set.of(Op.values()),
              Audience.Numbers.NUMBER,
              false);
      Matcher matcher = new Matcher(audience, new NoCatalog(), renderers);
      index.add(new Someone(i, matcher), Objects.requireNonNull(matcher.access(Orders.TABLE)));
    }
    SplittableRandom random = new SplittableRandom(1);
    for (int i = 0; i < EVENTS; i++) {
      events[i] = event(i, Orders.row(i, random.nextInt(subscribers), random));
    }
    if (match() != EVENTS) {
      throw new IllegalStateException("found: " + hits + " (expected: " + EVENTS + ")");
    }
  }

  private static EventRecord event(int id, JsonObject row) {
    JsonObject key = JsonObject.of(("{\"id\":" + id + "}").getBytes(StandardCharsets.UTF_8));
    RowChange change = new RowChange(Orders.TABLE, Op.INSERT, Instant.EPOCH, key, row, null, null);
    EncodedChange encoded = EventCodec.encode(change, EventCodec.MAX_RECORD_BYTES);
    return EventRecord.parse(id, encoded.event(), null);
  }

  /** Events a second on one thread. */
  @Benchmark
  @OperationsPerInvocation(EVENTS)
  public final int match() {
    hits = 0;
    for (EventRecord event : events) {
      index.match(event, (member, access, verdict) -> hits++);
    }
    return hits;
  }

  private record NoCatalog() implements Catalog {
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
}
