package dev.rowcast.bench;

import dev.rowcast.config.Configuration;
import dev.rowcast.config.ConfigurationLoader;
import dev.rowcast.config.InvalidConfigurationException;
import dev.rowcast.event.JsonObject;
import dev.rowcast.event.TableId;
import dev.rowcast.policy.ConfiguredPolicy;
import dev.rowcast.policy.Identity;
import dev.rowcast.policy.Policy;
import dev.rowcast.policy.Scope;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.SplittableRandom;

/** A table with tenants and the usual rule, for measurements without servers. */
public final class Orders {
  /** The table. */
  public static final TableId TABLE = new TableId("public", "orders");

  private static final String CONFIGURATION =
      """
      kafka: {bootstrap_servers: "localhost:9092"}
      secret: a secret of the measurement, long enough for it
      sources:
        - {id: raw, type: kafka}
      tables:
        - id: orders
          source_id: raw
          key_columns: [id]
          columns:
            - {name: id, data_type: bigint}
            - {name: tenant_id, data_type: text}
            - {name: status, data_type: text}
            - {name: amount, data_type: "numeric(10,2)"}
            - {name: note, data_type: text}
          live: {strategy: kafka, topic: orders.raw}
      roles:
        - {id: member}
      rls_rules:
        - {table_id: orders, role_id: member, filter: "%s"}
      """;

  private Orders() {}

  /** The configuration with this predicate as the members' rule. */
  static Configuration configuration(String filter) {
    try {
      return new ConfigurationLoader(Map.of())
          .load("bench.yaml", CONFIGURATION.formatted(filter))
          .configuration();
    } catch (InvalidConfigurationException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The policy with this predicate as the members' rule. */
  public static Policy policy(String filter) {
    return policy(configuration(filter));
  }

  static Policy policy(Configuration configuration) {
    return new ConfiguredPolicy(configuration, new byte[] {1}, (table, role) -> {});
  }

  /** A member of a tenant. */
  public static Identity member(int tenant) {
    return new Identity("u-" + tenant, "member", Map.of("t", tenant(tenant)), Scope.ALL);
  }

  private static String tenant(int tenant) {
    return "tenant-" + tenant;
  }

  /** A row of a tenant; half of the amounts are under 100. */
  public static JsonObject row(int id, int tenant, SplittableRandom random) {
    return JsonObject.of(
        "{\"id\":%d,\"tenant_id\":\"%s\",\"status\":\"open\",\"amount\":%d.%02d,\"note\":\"%s\"}"
            .formatted(id, tenant(tenant), random.nextInt(200), random.nextInt(100), "n".repeat(80))
            .getBytes(StandardCharsets.UTF_8));
  }
}
