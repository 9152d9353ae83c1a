package dev.rowcast.bench;

import dev.rowcast.policy.Identity;
import dev.rowcast.policy.Scope;
import dev.rowcast.standalone.RowcastNode;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * {@code bench/subscribers}: whether many SSE clients with a claim each slow the rows down, beside
 * few. Rows come through a topic and normalise as fast as they go; the clock runs from the first
 * one until every client has what it may see.
 */
@Command(
    name = "subscribers",
    description = "Measures the rate of rows with few and with many SSE clients.",
    mixinStandardHelpOptions = true)
public final class Subscribers implements Callable<Integer> {
  private static final int NOBODY = 1_000_000;
  private static final int LIMITS = 1_000;
  private static final int ONE_IN = 1_000; // rows that somebody with a limit sees

  @Option(
      names = "--rounds",
      defaultValue = "3",
      description = "how often everything is measured, in turn (default: 3)")
  private int rounds;

  @Option(
      names = "--rows",
      defaultValue = "100000",
      description = "rows in a round (default: 100000)")
  private int rows;

  @Option(names = "--few", defaultValue = "50", description = "few clients (default: 50)")
  private int few;

  @Option(
      names = "--many",
      defaultValue = "5000",
      description = "many clients, a tenant each (default: 5000)")
  private int many;

  @Option(
      names = "--unindexed",
      defaultValue = "500",
      description = "many clients whose rule is an inequality (default: 500)")
  private int unindexed;

  private long nextId = 1;

  private Subscribers() {}

  /** Measures and prints; exits with 1 where a client gets more or less than it should. */
  public static void main(String[] args) {
    System.exit(new CommandLine(new Subscribers()).execute(args));
  }

  @Override
  public Integer call() throws Exception {
    Map<String, RowcastNode.NamedKey> keys = new HashMap<>();
    for (int i = 0; i < many; i++) {
      keys.put(tenantKey(i), key(tenantKey(i), "tenant", Map.of("t", tenant(i))));
    }
    for (int i = 0; i < unindexed; i++) {
      keys.put(limitKey(i), key(limitKey(i), "limited", Map.of("limit", limit(i, unindexed))));
    }
    try (BenchStack stack = new BenchStack(keys);
        Noise noise = new Noise()) {
      for (int i = 0; i < 3; i++) {
        say("warm-up", ofTenants(stack, few));
      }
      for (int round = 0; round < rounds; round++) {
        say("tenant_id = :t, " + few + " clients", ofTenants(stack, few));
        say("tenant_id = :t, " + many + " clients", ofTenants(stack, many));
        say("amount < :limit, " + few + " clients", ofLimits(stack, few));
        say("amount < :limit, " + unindexed + " clients", ofLimits(stack, unindexed));
      }
      System.out.println("machine noise (how late a thread wakes): " + noise.summary());
    }
    return 0;
  }

  private static RowcastNode.NamedKey key(String secret, String role, Map<String, Object> claims) {
    return new RowcastNode.NamedKey(secret, new Identity(secret, role, claims, Scope.ALL));
  }

  private static String tenantKey(int i) {
    return "rc_tenant_" + i;
  }

  private static String limitKey(int i) {
    return "rc_limit_" + i;
  }

  private static String tenant(int i) {
    return "tenant-" + i;
  }

  /** From 1 to {@link #LIMITS}, evenly. */
  private static long limit(int i, int clients) {
    return 1 + (long) i * LIMITS / clients;
  }

  private double ofTenants(BenchStack stack, int clients) throws Exception {
    List<String> keys = new ArrayList<>();
    for (int i = 0; i < clients; i++) {
      keys.add(tenantKey(i));
    }
    return rate(stack, keys, row -> tenant((int) (row % clients)), row -> 0, rows);
  }

  private double ofLimits(BenchStack stack, int clients) throws Exception {
    List<String> keys = new ArrayList<>();
    long[] limits = new long[clients];
    for (int i = 0; i < clients; i++) {
      int spread = i * (unindexed / clients);
      keys.add(limitKey(spread));
      limits[i] = limit(spread, unindexed);
    }
    Amounts amounts = row -> row % ONE_IN == ONE_IN - 1 ? (row / ONE_IN * 7) % LIMITS : NOBODY;
    long expected = 0;
    for (long row = 0; row < rows; row++) {
      for (long limit : limits) {
        expected += amounts.of(row) < limit ? 1 : 0;
      }
    }
    return rate(stack, keys, row -> "any", amounts, expected);
  }

  private interface Tenants {
    String of(long row);
  }

  private interface Amounts {
    long of(long row);
  }

  private double rate(
      BenchStack stack, List<String> keys, Tenants tenants, Amounts amounts, long expected)
      throws Exception {
    try (SseCounter clients = new SseCounter(stack.url("/events/stream?tables=orders"), keys);
        KafkaProducer<byte[], byte[]> producer =
            new KafkaProducer<>(
                Map.of("bootstrap.servers", stack.bootstrapServers()),
                new ByteArraySerializer(),
                new ByteArraySerializer())) {
      clients.awaitOpen(keys.size());
      long start = System.nanoTime();
      for (long row = 0; row < rows; row++) {
        long id = nextId++;
        String json =
            "{\"id\":%d,\"tenant_id\":\"%s\",\"amount\":%d,\"payload\":\"%s\"}"
                .formatted(id, tenants.of(row), amounts.of(row), Rows.PAYLOAD);
        var unused =
            producer.send(
                new ProducerRecord<>(
                    BenchStack.ORDERS_TOPIC,
                    Rows.key(id),
                    json.getBytes(StandardCharsets.US_ASCII)));
      }
      producer.flush();
      clients.awaitChanges(expected);
      return rows / ((System.nanoTime() - start) / 1e9);
    }
  }

  private static void say(String what, double rate) {
    System.out.printf("%-32s %,10.0f rows/s%n", what, rate);
    System.out.flush();
  }
}
