package dev.rowcast.bench;

import dev.rowcast.config.Configuration;
import dev.rowcast.event.JsonObject;
import dev.rowcast.policy.RowFilter;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What a rule costs: to judge a parsed row by it, and to make it ready. The rows are all of the
 * caller's tenant, so that both comparisons are made, and half of them are seen.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
public class PredicateBenchmark {
  private static final int ROWS = 1_024;
  private static final int TENANT = 42;

  private final Configuration configuration =
      Orders.configuration("tenant_id = :t AND amount < 100");
  private final RowFilter rule = rule();
  private final JsonObject[] rows = new JsonObject[ROWS];

  public PredicateBenchmark() {
    SplittableRandom random = new SplittableRandom(1);
    for (int i = 0; i < ROWS; i++) {
      rows[i] = Orders.row(i, TENANT, random);
    }
    int seen = judge();
    if (seen < ROWS / 3 || seen > ROWS * 2 / 3) {
      throw new IllegalStateException("seen: " + seen + " (expected: half of " + ROWS + ")");
    }
  }

  private RowFilter rule() {
    return Orders.policy(configuration)
        .view(Orders.member(TENANT))
        .access(Orders.TABLE)
        .orElseThrow()
        .rows();
  }

  /** {@code tenant_id = :t AND amount < 100}, of rows that are parsed already. */
  @Benchmark
  @OutputTimeUnit(TimeUnit.NANOSECONDS)
  @OperationsPerInvocation(ROWS)
  public final int judge() {
    int seen = 0;
    for (JsonObject row : rows) {
      seen += rule.test(row) ? 1 : 0;
    }
    return seen;
  }

  /** From the rule's text to a filter with its claims filled in, the whole policy around it. */
  @Benchmark
  @OutputTimeUnit(TimeUnit.MICROSECONDS)
  public RowFilter compile() {
    return rule();
  }
}
