package dev.rowcast.connectors.connect;

import dev.rowcast.config.SourceConfig;
import dev.rowcast.config.SourceConfig.DatabaseConfig;
import dev.rowcast.config.TableConfig;
import dev.rowcast.connectors.postgres.PostgresSettings;
import dev.rowcast.connectors.postgres.PostgresSourceConnector;
import dev.rowcast.connectors.postgres.TableSetting;
import dev.rowcast.event.TableId;
import dev.rowcast.source.Strategy;
import dev.rowcast.topic.Topics;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** The configuration of a PostgreSQL source's connector. Pure. */
public final class PostgresConnectorConfig {
  private static final String BYTES = "org.apache.kafka.connect.converters.ByteArrayConverter";
  private static final Map<String, String> WORKER =
      Map.ofEntries(
          Map.entry("connector.class", PostgresSourceConnector.class.getName()),
          Map.entry("tasks.max", "1"),
          Map.entry("key.converter", BYTES),
          Map.entry("value.converter", BYTES),
          Map.entry("header.converter", BYTES),
          Map.entry("exactly.once.support", "required"),
          Map.entry("transaction.boundary", "poll"),
          // the end of a transaction sends what is there; until then only full batches are worth it
          Map.entry("producer.override.linger.ms", "100"),
          Map.entry("producer.override.batch.size", "262144"),
          // a transaction's first batch may be told to come again; none may be on its way behind it
          Map.entry("producer.override.max.in.flight.requests.per.connection", "1"),
          Map.entry("producer.override.retry.backoff.ms", "1"),
          Map.entry("producer.override.transaction.timeout.ms", "5000"),
          Map.entry("producer.override.delivery.timeout.ms", "30000"),
          Map.entry("producer.override.request.timeout.ms", "10000"),
          Map.entry("producer.override.buffer.memory", Integer.toString(64 << 20)),
          Map.entry("producer.override.max.request.size", Integer.toString(16 << 20)));

  private PostgresConnectorConfig() {}

  /** The name of a source's connector. */
  public static String connectorName(String sourceId) {
    return "rowcast-" + sourceId;
  }

  /**
   * The configuration for a source and those of the tables that are its own and {@code native}.
   *
   * @throws IllegalArgumentException if the source has no database
   */
  public static Map<String, String> of(
      SourceConfig source, List<TableConfig> tables, Topics topics, String bootstrapServers) {
    DatabaseConfig database = source.database();
    if (database == null) {
      throw new IllegalArgumentException(source.id() + ": no database (expected: a PostgreSQL)");
    }
    List<TableSetting> settings = new ArrayList<>();
    for (TableConfig table : tables) {
      if (table.sourceId().equals(source.id()) && table.live().strategy() == Strategy.NATIVE) {
        settings.add(
            new TableSetting(
                table.table(),
                table.keyColumns(),
                table.live().notifyBy(),
                table.live().watermarkColumn()));
      }
    }
    Map<String, String> config = new HashMap<>(WORKER);
    config.put("name", connectorName(source.id()));
    config.put(PostgresSettings.SOURCE_ID, source.id());
    config.put(PostgresSettings.URL, database.url());
    config.put(PostgresSettings.USER, database.username());
    config.put(PostgresSettings.PASSWORD, database.password().reveal());
    config.put(PostgresSettings.TABLES, TableSetting.print(settings));
    config.put(PostgresSettings.EVENTS_TOPIC, topics.events().name());
    config.put(PostgresSettings.ROWS_TOPIC, topics.rows().name());
    config.put(PostgresSettings.CATALOG_TOPIC, topics.catalog().name());
    config.put(PostgresSettings.DEAD_LETTERS_TOPIC, topics.deadLetters().name());
    config.put(PostgresSettings.BOOTSTRAP_SERVERS, bootstrapServers);
    return config;
  }

  /**
   * Creates or changes a source's connector, keeping what was switched on and off while running.
   *
   * @return the configured tables that were switched off and stay so
   */
  public static Set<TableId> apply(ConnectClient connect, Map<String, String> config) {
    String name = config.getOrDefault("name", "");
    Map<String, String> applied = new HashMap<>(config);
    connect
        .config(name)
        .ifPresent(
            before -> {
              for (String kept :
                  List.of(PostgresSettings.TABLES_ADDED, PostgresSettings.TABLES_REMOVED)) {
                if (before.containsKey(kept)) {
                  applied.put(kept, before.get(kept));
                }
              }
            });
    connect.putConfig(name, applied);
    Set<TableId> released = tables(applied, PostgresSettings.TABLES_REMOVED);
    released.retainAll(tables(applied, PostgresSettings.TABLES));
    return released;
  }

  private static Set<TableId> tables(Map<String, String> config, String name) {
    return TableSetting.parse(config.getOrDefault(name, "")).stream()
        .map(TableSetting::table)
        .collect(Collectors.toCollection(TreeSet::new));
  }
}
