package dev.rowcast.connectors.postgres;

import dev.rowcast.config.TableConfig.NotifyMode;
import dev.rowcast.event.EventCodec;
import dev.rowcast.event.TableId;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.Importance;
import org.apache.kafka.common.config.ConfigDef.Range;
import org.apache.kafka.common.config.ConfigException;

/** The connector's configuration: its names, their documentation, and their values typed. */
public final class PostgresSettings extends AbstractConfig {
  public static final String SOURCE_ID = "source.id";
  public static final String URL = "database.url";
  public static final String USER = "database.user";
  public static final String PASSWORD = "database.password";
  public static final String TABLES = "tables";
  public static final String TABLES_ADDED = "tables.added";
  public static final String TABLES_REMOVED = "tables.removed";
  public static final String NOTIFY = "notify";
  public static final String EVENTS_TOPIC = "topic.events";
  public static final String ROWS_TOPIC = "topic.rows";
  public static final String CATALOG_TOPIC = "topic.catalog";
  public static final String DEAD_LETTERS_TOPIC = "topic.dead.letters";
  public static final String BOOTSTRAP_SERVERS = "bootstrap.servers";

  /** What stands after it is passed to the consumer that reads {@code rows} for a resync. */
  public static final String KAFKA_PREFIX = "kafka.";

  public static final String POLL_MAX_ROWS = "poll.max.rows";
  public static final String POLL_MAX_BYTES = "poll.max.bytes";
  public static final String POLL_INTERVAL_MS = "poll.interval.ms";
  public static final String MAX_RECORD_BYTES = "max.record.bytes";
  public static final String TRIM_INTERVAL_MS = "trim.interval.ms";
  public static final String STATUS_INTERVAL_MS = "status.interval.ms";
  public static final String CHECK_INTERVAL_MS = "check.interval.ms";

  static final ConfigDef DEFINITION =
      new ConfigDef()
          .define(
              SOURCE_ID,
              ConfigDef.Type.STRING,
              Importance.HIGH,
              "The source's name: in the catalog, and as the partition of its offsets.")
          .define(
              URL,
              ConfigDef.Type.STRING,
              Importance.HIGH,
              "The JDBC URL of the primary, without user and password. It must lead to PostgreSQL"
                  + " directly: a pooler in transaction mode loses LISTEN.")
          .define(USER, ConfigDef.Type.STRING, Importance.HIGH, "The owner of the tables.")
          .define(PASSWORD, ConfigDef.Type.PASSWORD, "", Importance.HIGH, "That role's password.")
          .define(
              TABLES,
              ConfigDef.Type.STRING,
              "",
              Importance.HIGH,
              "What to capture: schema.table names separated by commas, or JSON with"
                  + " [{\"schema\":…,\"table\":…,\"key\":[…],\"notify\":…,\"watermark\":…}].")
          .define(
              TABLES_ADDED,
              ConfigDef.Type.STRING,
              "",
              Importance.MEDIUM,
              "Tables besides those of 'tables': what was switched on while running.")
          .define(
              TABLES_REMOVED,
              ConfigDef.Type.STRING,
              "",
              Importance.MEDIUM,
              "Tables not to be captured although 'tables' names them: what was switched off.")
          .define(
              NOTIFY,
              ConfigDef.Type.STRING,
              "trigger",
              ConfigDef.CaseInsensitiveValidString.in("trigger", "reader", "off"),
              Importance.MEDIUM,
              "Who calls pg_notify('provisa_<table>'): the trigger (fastest; serialises commits),"
                  + " the connector after reading (forced where prepared transactions are enabled),"
                  + " or nobody.")
          .define(
              EVENTS_TOPIC,
              ConfigDef.Type.STRING,
              "events",
              Importance.MEDIUM,
              "The topic of events.")
          .define(
              ROWS_TOPIC,
              ConfigDef.Type.STRING,
              "rows",
              Importance.MEDIUM,
              "The topic of latest rows.")
          .define(
              CATALOG_TOPIC,
              ConfigDef.Type.STRING,
              "catalog",
              Importance.MEDIUM,
              "The topic that says which tables are captured and how the source fares.")
          .define(
              DEAD_LETTERS_TOPIC,
              ConfigDef.Type.STRING,
              "dead-letters",
              Importance.MEDIUM,
              "The topic of rows that can't be told as events, with the reason.")
          .define(
              BOOTSTRAP_SERVERS,
              ConfigDef.Type.STRING,
              Importance.HIGH,
              "The cluster with the topic of latest rows, which is read for a resync. Properties"
                  + " after 'kafka.' are passed to that consumer.")
          .define(
              POLL_MAX_ROWS,
              ConfigDef.Type.INT,
              2000,
              Range.between(1, 100_000),
              Importance.LOW,
              "How many row changes go into one Kafka transaction at most.")
          .define(
              POLL_MAX_BYTES,
              ConfigDef.Type.LONG,
              16L << 20,
              Range.atLeast(1),
              Importance.LOW,
              "How many bytes of rows go into one Kafka transaction at most; a larger row goes"
                  + " alone.")
          .define(
              POLL_INTERVAL_MS,
              ConfigDef.Type.INT,
              2,
              Range.between(1, 60_000),
              Importance.LOW,
              "How often to look where no trigger notifies, in ms.")
          .define(
              MAX_RECORD_BYTES,
              ConfigDef.Type.INT,
              EventCodec.MAX_RECORD_BYTES,
              Range.atLeast(1 << 14),
              Importance.LOW,
              "The largest record; of larger rows the largest columns are left out by name.")
          .define(
              TRIM_INTERVAL_MS,
              ConfigDef.Type.LONG,
              1000L,
              Range.atLeast(10),
              Importance.LOW,
              "How often rows that Kafka has acknowledged are deleted from the outbox, in ms.")
          .define(
              STATUS_INTERVAL_MS,
              ConfigDef.Type.LONG,
              2000L,
              Range.atLeast(100),
              Importance.LOW,
              "How often the source's state is looked at, in ms; it is written where it changed,"
                  + " and every fifth time.")
          .define(
              CHECK_INTERVAL_MS,
              ConfigDef.Type.LONG,
              5000L,
              Range.atLeast(100),
              Importance.LOW,
              "How often tables, triggers and partitions are compared with what they should be, in"
                  + " ms.");

  public PostgresSettings(Map<String, String> properties) {
    super(DEFINITION, properties);
  }

  String sourceId() {
    return getString(SOURCE_ID);
  }

  String url() {
    return getString(URL);
  }

  String user() {
    return getString(USER);
  }

  String password() {
    return getPassword(PASSWORD).value();
  }

  /**
   * The tables to capture: those of the configuration and those added, but for those removed.
   *
   * @throws ConfigException if one of the lists is malformed
   */
  List<TableSetting> tables() {
    Map<TableId, TableSetting> tables = new LinkedHashMap<>();
    for (String name : List.of(TABLES_ADDED, TABLES)) { // what the configuration says of it wins
      for (TableSetting setting : list(name)) {
        tables.put(setting.table(), setting);
      }
    }
    for (TableSetting removed : list(TABLES_REMOVED)) {
      tables.remove(removed.table());
    }
    return List.copyOf(tables.values());
  }

  /** What is said of a table, whether or not it is to be captured. */
  TableSetting setting(TableId table) {
    for (String name : List.of(TABLES, TABLES_ADDED)) {
      for (TableSetting setting : list(name)) {
        if (setting.table().equals(table)) {
          return setting;
        }
      }
    }
    return TableSetting.of(table);
  }

  private List<TableSetting> list(String name) {
    try {
      return TableSetting.parse(getString(name));
    } catch (IllegalArgumentException e) {
      throw new ConfigException(name, getString(name), e.getMessage());
    }
  }

  NotifyMode notifyBy(TableSetting table) {
    NotifyMode own = table.notifyBy();
    return own != null ? own : TableSetting.notifyMode(getString(NOTIFY));
  }

  String eventsTopic() {
    return getString(EVENTS_TOPIC);
  }

  String rowsTopic() {
    return getString(ROWS_TOPIC);
  }

  String catalogTopic() {
    return getString(CATALOG_TOPIC);
  }

  String deadLettersTopic() {
    return getString(DEAD_LETTERS_TOPIC);
  }

  int pollMaxRows() {
    return getInt(POLL_MAX_ROWS);
  }

  long pollMaxBytes() {
    return getLong(POLL_MAX_BYTES);
  }

  int pollIntervalMillis() {
    return getInt(POLL_INTERVAL_MS);
  }

  int maxRecordBytes() {
    return getInt(MAX_RECORD_BYTES);
  }

  long trimIntervalMillis() {
    return getLong(TRIM_INTERVAL_MS);
  }

  long statusIntervalMillis() {
    return getLong(STATUS_INTERVAL_MS);
  }

  long checkIntervalMillis() {
    return getLong(CHECK_INTERVAL_MS);
  }

  /** What the consumer of {@code rows} is made with. */
  Map<String, Object> consumerProperties() {
    Map<String, Object> properties = originalsWithPrefix(KAFKA_PREFIX);
    properties.put(BOOTSTRAP_SERVERS, getString(BOOTSTRAP_SERVERS));
    return properties;
  }
}
