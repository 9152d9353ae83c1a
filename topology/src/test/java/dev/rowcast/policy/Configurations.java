package dev.rowcast.policy;

import dev.rowcast.config.AuthConfig;
import dev.rowcast.config.Configuration;
import dev.rowcast.config.ConnectConfig;
import dev.rowcast.config.KafkaConfig;
import dev.rowcast.config.RlsRuleConfig;
import dev.rowcast.config.RoleConfig;
import dev.rowcast.config.Secret;
import dev.rowcast.config.ServerConfig;
import dev.rowcast.config.TableConfig;
import dev.rowcast.config.TableConfig.ColumnConfig;
import dev.rowcast.config.TableConfig.LiveConfig;
import dev.rowcast.config.TableConfig.MaskConfig;
import dev.rowcast.config.TableConfig.MaskType;
import dev.rowcast.config.TableConfig.NotifyMode;
import dev.rowcast.event.TableId;
import dev.rowcast.source.Strategy;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Configurations for tests: tables {@code orders} and {@code customers}, three roles. */
final class Configurations {
  static final TableId ORDERS = new TableId("public", "orders");
  static final TableId CUSTOMERS = new TableId("public", "customers");
  static final byte[] KEY = "a key for tests".getBytes(StandardCharsets.UTF_8);

  private final List<ColumnConfig> columns = new ArrayList<>();
  private final Map<String, List<String>> inherits = new HashMap<>();
  private final List<RlsRuleConfig> rules = new ArrayList<>();

  Configurations rule(String role, String filter) {
    rules.add(new RlsRuleConfig("orders", role, filter));
    return this;
  }

  Configurations visibleTo(String column, String... roles) {
    columns.add(new ColumnConfig(column, null, List.of(roles), null));
    return this;
  }

  Configurations mask(String column, MaskConfig mask) {
    columns.add(new ColumnConfig(column, null, null, mask));
    return this;
  }

  static MaskConfig mask(MaskType type, @Nullable String a, @Nullable String b) {
    return switch (type) {
      case REGEX -> new MaskConfig(type, a, b, null, null, List.of("admin"));
      case CONSTANT -> new MaskConfig(type, null, null, a, null, List.of("admin"));
      case TRUNCATE -> new MaskConfig(type, null, null, null, a, List.of("admin"));
      case NULL, HASH -> new MaskConfig(type, null, null, null, null, List.of("admin"));
    };
  }

  Configurations typed(String column, String dataType) {
    columns.add(new ColumnConfig(column, dataType, null, null));
    return this;
  }

  /** The columns that most tests ask for. */
  Configurations typed() {
    return typed("region", "text")
        .typed("amount", "numeric(10,2)")
        .typed("owner", "text")
        .typed("kind", "text")
        .typed("active", "boolean")
        .typed("gone", "text")
        .typed("missing", "text")
        .typed("name", "text");
  }

  Configurations inherits(String role, String... others) {
    inherits.put(role, List.of(others));
    return this;
  }

  private RoleConfig role(String id) {
    return new RoleConfig(id, List.of(), inherits.getOrDefault(id, List.of()));
  }

  Configuration build() {
    LiveConfig live =
        new LiveConfig(Strategy.NATIVE, NotifyMode.TRIGGER, null, null, Duration.ofSeconds(1));
    return new Configuration(
        ServerConfig.DEFAULT,
        new KafkaConfig("localhost:9092", "", Duration.ofDays(7), 1, "n1", Map.of()),
        new ConnectConfig(URI.create("http://127.0.0.1:8083")),
        new Secret("secret"),
        AuthConfig.NONE,
        List.of(),
        List.of(
            new TableConfig("orders", "shop", ORDERS, List.of(), columns, live),
            new TableConfig("customers", "shop", CUSTOMERS, List.of(), List.of(), live)),
        List.of(),
        List.of(role("admin"), role("analyst"), role("support")),
        rules);
  }

  ConfiguredPolicy policy() {
    return new ConfiguredPolicy(build(), KEY, (table, role) -> {});
  }
}
