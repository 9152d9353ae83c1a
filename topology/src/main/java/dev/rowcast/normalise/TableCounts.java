package dev.rowcast.normalise;

import dev.rowcast.event.TableId;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/** What was done for one table since the application started. Thread-safe. */
public final class TableCounts {
  private static final long NEVER = Long.MIN_VALUE;

  private final LongAdder events = new LongAdder();
  private final LongAdder repeats = new LongAdder();
  private final LongAdder unknownDeletes = new LongAdder();
  private final LongAdder deadLetters = new LongAdder();
  private final AtomicLong lastOccurred = new AtomicLong(NEVER);

  /** Row changes written. */
  public long events() {
    return events.sum();
  }

  /** Records passed over because they were applied before. */
  public long repeats() {
    return repeats.sum();
  }

  /** Deletes of rows that weren't known, passed over. */
  public long unknownDeletes() {
    return unknownDeletes.sum();
  }

  /** Records that could not be read as rows. */
  public long deadLetters() {
    return deadLetters.sum();
  }

  /** When the latest change was made that was written; null for none. */
  public @Nullable Instant lastEvent() {
    long millis = lastOccurred.get();
    return millis == NEVER ? null : Instant.ofEpochMilli(millis);
  }

  /** Makes them metrics. */
  void bindTo(MeterRegistry registry, TableId table) {
    counter(registry, table, "events", TableCounts::events, "Row changes written");
    counter(registry, table, "repeats", TableCounts::repeats, "Records applied before");
    counter(
        registry, table, "unknown.deletes", TableCounts::unknownDeletes, "Deletes of unknown rows");
    counter(registry, table, "dead.letters", TableCounts::deadLetters, "Records not readable");
  }

  private void counter(
      MeterRegistry registry,
      TableId table,
      String name,
      ToDoubleFunction<TableCounts> count,
      String description) {
    FunctionCounter.builder("rowcast.normalise." + name, this, count)
        .tag("table", table.toString())
        .description(description)
        .register(registry);
  }

  void event(long occurredMillis) {
    events.increment();
    lastOccurred.accumulateAndGet(occurredMillis, Math::max);
  }

  void repeat() {
    repeats.increment();
  }

  void unknownDelete() {
    unknownDeletes.increment();
  }

  void deadLetter() {
    deadLetters.increment();
  }
}
