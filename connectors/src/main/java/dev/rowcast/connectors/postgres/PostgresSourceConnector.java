package dev.rowcast.connectors.postgres;

import dev.rowcast.connectors.postgres.Installer.Registered;
import dev.rowcast.event.TableId;
import dev.rowcast.problem.ProblemType;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.config.Config;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.config.ConfigValue;
import org.apache.kafka.connect.connector.Task;
import org.apache.kafka.connect.source.ExactlyOnceSupport;
import org.apache.kafka.connect.source.SourceConnector;

/** Captures tables of one PostgreSQL database: one task, which installs and reads the outbox. */
public final class PostgresSourceConnector extends SourceConnector {
  static final String VERSION = "0.1.0";

  private static final String INVALID_PASSWORD = "28P01";
  private static final String INVALID_AUTHORIZATION = "28000";
  private static final String NO_RIGHT = "42501";
  private static final String NO_SUCH_DATABASE = "3D000";

  private Map<String, String> properties = Map.of();

  @Override
  public void start(Map<String, String> properties) {
    this.properties = Map.copyOf(properties);
  }

  @Override
  public Class<? extends Task> taskClass() {
    return PostgresSourceTask.class;
  }

  @Override
  public List<Map<String, String>> taskConfigs(int maxTasks) {
    return List.of(properties);
  }

  @Override
  public void stop() {}

  @Override
  public ConfigDef config() {
    return PostgresSettings.DEFINITION;
  }

  @Override
  public String version() {
    return VERSION;
  }

  @Override
  public ExactlyOnceSupport exactlyOnceSupport(Map<String, String> connectorConfig) {
    return ExactlyOnceSupport.SUPPORTED;
  }

  /** Checks the values, then the database with them: each fault is told where it can be mended. */
  @Override
  public Config validate(Map<String, String> connectorConfigs) {
    Config config = super.validate(connectorConfigs);
    if (config.configValues().stream().allMatch(value -> value.errorMessages().isEmpty())) {
      try {
        validate(new PostgresSettings(connectorConfigs), config);
      } catch (ConfigException e) {
        error(config, PostgresSettings.TABLES, e.getMessage());
      }
    }
    return config;
  }

  private static void validate(PostgresSettings settings, Config config) {
    List<TableSetting> tables = settings.tables();
    try (Connection connection = Database.open(settings, "validation")) {
      Database.check(connection);
      Installer installer = new Installer(connection, settings.sourceId());
      if (!tables.isEmpty()) {
        installer.check();
      }
      Map<TableId, Registered> registered =
          installer.installed() ? installer.registered() : Map.of();
      for (TableSetting table : tables) {
        Registered known = registered.get(table.table());
        validate(connection, table, known == null ? 0 : known.relation(), settings, config);
      }
    } catch (CaptureException e) {
      error(config, PostgresSettings.URL, e.tagged());
    } catch (SQLException e) {
      connectionError(config, e);
    }
  }

  private static void validate(
      Connection connection,
      TableSetting table,
      long relation,
      PostgresSettings settings,
      Config config)
      throws SQLException {
    try {
      InspectedTable inspected = new TableInspector(connection).inspect(table, relation);
      Installer.checkOwner(inspected);
    } catch (CaptureException e) {
      boolean added =
          TableSetting.parse(settings.getString(PostgresSettings.TABLES_ADDED)).stream()
              .anyMatch(setting -> setting.table().equals(table.table()));
      error(config, added ? PostgresSettings.TABLES_ADDED : PostgresSettings.TABLES, e.tagged());
    }
  }

  private static void connectionError(Config config, SQLException e) {
    String state = e.getSQLState() == null ? "" : e.getSQLState();
    switch (state) {
      case INVALID_PASSWORD, INVALID_AUTHORIZATION ->
          error(
              config,
              PostgresSettings.PASSWORD,
              "the database refuses user and password (expected: those of the tables' owner)");
      case NO_SUCH_DATABASE ->
          error(config, PostgresSettings.URL, "no such database (expected: an existing one)");
      case NO_RIGHT ->
          error(
              config,
              PostgresSettings.USER,
              ProblemType.CAPTURE_REFUSED.type()
                  + ": the role may not use the schema rowcast (expected: the one that made it)");
      default ->
          error(
              config,
              PostgresSettings.URL,
              "the database can't be reached, SQLSTATE "
                  + state
                  + " (expected: jdbc:postgresql://host:port/database of a running server)");
    }
  }

  private static void error(Config config, String name, String message) {
    for (ConfigValue value : config.configValues()) {
      if (value.name().equals(name)) {
        value.addErrorMessage(message);
      }
    }
  }
}
