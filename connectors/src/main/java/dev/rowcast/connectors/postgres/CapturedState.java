package dev.rowcast.connectors.postgres;

import dev.rowcast.event.TableId;
import dev.rowcast.source.Strategy;
import dev.rowcast.source.TableDescriptor;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import java.util.Optional;

/**
 * What a connector's database says of a table's capture. It opens a connection per question and is
 * for those who wait for a table to be switched on or off. Thread-safe.
 */
public final class CapturedState {
  private final PostgresSettings settings;

  /** For the database of a connector with this configuration. */
  public CapturedState(Map<String, String> connectorConfig) {
    this.settings = new PostgresSettings(connectorConfig);
  }

  /**
   * The table as it is captured now; empty where its triggers aren't there.
   *
   * @throws SQLException if the database can't be reached
   */
  public Optional<TableDescriptor> captured(TableId table) throws SQLException {
    try (Connection connection = Database.open(settings, "state")) {
      Installer installer = new Installer(connection, settings.sourceId());
      if (!installer.installed()) {
        return Optional.empty();
      }
      Installer.Registered registered = installer.registered().get(table);
      if (registered == null || registered.triggersGone()) {
        return Optional.empty();
      }
      TableSetting setting =
          settings.tables().stream()
              .filter(known -> known.table().equals(table))
              .findFirst()
              .orElse(TableSetting.of(table));
      InspectedTable inspected =
          new TableInspector(connection).inspect(setting, registered.relation());
      return Optional.of(
          new TableDescriptor(
              table,
              settings.sourceId(),
              Strategy.NATIVE,
              inspected.plainColumns(),
              inspected.key()));
    } catch (CaptureException e) {
      return Optional.empty();
    }
  }
}
