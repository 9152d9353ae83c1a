package dev.rowcast.standalone;

import dev.rowcast.event.TableId;
import dev.rowcast.policy.HiddenRows;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Counts where doubt hid rows, by table and role. Thread-safe. */
final class CountedHiddenRows implements HiddenRows {
  private final MeterRegistry registry;
  private final Map<Place, Counter> failures = new ConcurrentHashMap<>();

  private record Place(TableId table, String role) {}

  CountedHiddenRows(MeterRegistry registry) {
    this.registry = registry;
  }

  @Override
  public void missingClaim(TableId table, String role) {
    counter(
            "rowcast.policy.missing.claims",
            "Views without a claim that their rule needs: the rule shows them no row",
            new Place(table, role))
        .increment();
  }

  @Override
  public void failed(TableId table, String role) {
    failures
        .computeIfAbsent(
            new Place(table, role),
            place ->
                counter(
                    "rowcast.policy.failures",
                    "Rows that a rule failed on, which hid them, and rules that don't fit a table",
                    place))
        .increment();
  }

  private Counter counter(String name, String description, Place place) {
    return Counter.builder(name)
        .description(description)
        .tag("table", place.table().toString())
        .tag("role", place.role())
        .register(registry);
  }
}
