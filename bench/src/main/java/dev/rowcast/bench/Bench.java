package dev.rowcast.bench;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code bench/run}: from a writer to a reader, latency and throughput, as a table. */
@Command(
    name = "bench",
    description = "Measures the way of a row: latency to an SSE client, rows a second into events.",
    mixinStandardHelpOptions = true)
public final class Bench implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Option(
      names = "--rounds",
      defaultValue = "3",
      description = "how often everything is measured, in turn (default: 3)")
  private int rounds;

  @Option(
      names = "--seconds",
      defaultValue = "20",
      description = "how long each latency round takes (default: 20)")
  private int seconds;

  @Option(
      names = "--warm-up",
      defaultValue = "90",
      description =
          "seconds of changes before each kind of round, apart from the results: on two cores it"
              + " takes minutes until Kafka's code is compiled (default: 90)")
  private int warmUp;

  @Option(
      names = "--rate",
      defaultValue = "100",
      description = "changes a second in latency rounds (default: 100)")
  private int rate;

  @Option(
      names = "--rows",
      defaultValue = "200000",
      description = "rows in throughput rounds (default: 200000)")
  private int rows;

  private long nextId = 1;
  private final List<String> lines = new ArrayList<>();

  private Bench() {}

  /** Measures and prints; exits with 1 where anything is lost on the way. */
  public static void main(String[] args) {
    System.exit(new CommandLine(new Bench()).execute(args));
  }

  @Override
  public Integer call() throws Exception {
    try (BenchStack stack = new BenchStack();
        Noise noise = new Noise()) {
      latency("warm-up", new Latency(stack, rate, warmUp).ofNativeSource(ids(rate * warmUp)));
      latency("warm-up", new Latency(stack, rate, warmUp).ofTopic(ids(rate * warmUp)));
      for (int round = 0; round < rounds; round++) {
        latency(
            "native, commit → SSE, " + rate + "/s",
            new Latency(stack, rate, seconds).ofNativeSource(ids(rate * seconds)));
        latency(
            "topic, ack → SSE, " + rate + "/s",
            new Latency(stack, rate, seconds).ofTopic(ids(rate * seconds)));
      }
      Throughput throughput = new Throughput(stack, rows);
      long warm = System.nanoTime() + TimeUnit.SECONDS.toNanos(2L * warmUp);
      do {
        throughput("warm-up", throughput.ofNativeSource(ids(rows)));
        throughput("warm-up", throughput.ofTopic(ids(rows)));
      } while (System.nanoTime() < warm);
      for (int round = 0; round < rounds; round++) {
        throughput("native, with its writers", throughput.ofNativeSource(ids(rows)));
        throughput("native, a backlog", throughput.ofNativeBacklog(ids(rows)));
        throughput("topic, rows → events", throughput.ofTopic(ids(rows)));
      }
      PrintWriter out = spec.commandLine().getOut();
      out.println();
      lines.forEach(out::println);
      out.println("machine noise (how late a thread wakes): " + noise.summary());
      out.flush();
    }
    return 0;
  }

  private long ids(int count) {
    long first = nextId;
    nextId += count;
    return first;
  }

  private void latency(String what, Histogram nanos) {
    say(
        "%-32s p50 %6.2f ms   p90 %6.2f ms   p99 %6.2f ms   max %7.2f ms   (%d changes)"
            .formatted(
                what,
                nanos.getValueAtPercentile(50) / 1e6,
                nanos.getValueAtPercentile(90) / 1e6,
                nanos.getValueAtPercentile(99) / 1e6,
                nanos.getMaxValue() / 1e6,
                nanos.getTotalCount()));
  }

  private void throughput(String what, double rowsPerSecond) {
    say("%-32s %,10.0f rows/s   (%,d rows of 500 B)".formatted(what, rowsPerSecond, rows));
  }

  private void say(String line) {
    lines.add(line);
    spec.commandLine().getErr().println(line);
    spec.commandLine().getErr().flush();
  }
}
