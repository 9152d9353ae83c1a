package dev.rowcast.connectors.connect;

import dev.rowcast.connectors.postgres.CapturedState;
import dev.rowcast.connectors.postgres.PostgresSettings;
import dev.rowcast.connectors.postgres.TableSetting;
import dev.rowcast.event.TableId;
import dev.rowcast.problem.ProblemException;
import dev.rowcast.problem.ProblemType;
import dev.rowcast.source.Capture;
import dev.rowcast.source.TableDescriptor;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Switches the capture of a PostgreSQL source's tables by changing what its connector is told to
 * add and remove, and waits until the database shows it. Calls are taken one at a time:
 * thread-safe.
 */
public final class ConnectCapture implements Capture {
  private static final Duration PATIENCE = Duration.ofSeconds(15);
  private static final Duration LOOK_EVERY = Duration.ofMillis(50);
  private static final List<ProblemType> TELLING =
      List.of(ProblemType.UNKNOWN_TABLE, ProblemType.NO_USABLE_KEY, ProblemType.CAPTURE_REFUSED);

  private final ConnectClient connect;
  private final String connector;

  /** For the connector of that source, which must have been applied. */
  public ConnectCapture(ConnectClient connect, String sourceId) {
    this.connect = connect;
    this.connector = PostgresConnectorConfig.connectorName(sourceId);
  }

  @Override
  public synchronized TableDescriptor enable(TableId table) {
    Map<String, String> config = config();
    Map<TableId, TableSetting> added = list(config, PostgresSettings.TABLES_ADDED);
    Map<TableId, TableSetting> removed = list(config, PostgresSettings.TABLES_REMOVED);
    boolean configured = list(config, PostgresSettings.TABLES).containsKey(table);
    boolean changed = removed.remove(table) != null;
    if (!configured) {
      changed |= added.putIfAbsent(table, TableSetting.of(table)) == null;
    }
    if (changed) {
      change(config, table, added, removed);
    }
    return await(config, table, Optional::isPresent, "its triggers").orElseThrow();
  }

  @Override
  public synchronized void disable(TableId table) {
    Map<String, String> config = config();
    Map<TableId, TableSetting> added = list(config, PostgresSettings.TABLES_ADDED);
    Map<TableId, TableSetting> removed = list(config, PostgresSettings.TABLES_REMOVED);
    boolean wasAdded = added.remove(table) != null;
    boolean configured = list(config, PostgresSettings.TABLES).containsKey(table);
    if (!wasAdded && (!configured || removed.containsKey(table))) {
      throw new ProblemException(ProblemType.NOT_FOUND, table + " is not captured");
    }
    if (configured) {
      removed.put(table, TableSetting.of(table));
    }
    change(config, table, added, removed);
    var unused = await(config, table, Optional::isEmpty, "its triggers to go");
  }

  private Map<String, String> config() {
    return connect
        .config(connector)
        .map(HashMap::new)
        .orElseThrow(
            () ->
                new ProblemException(
                    ProblemType.UNAVAILABLE,
                    "Kafka Connect has no connector " + connector + " (expected: applied)"));
  }

  private void change(
      Map<String, String> config,
      TableId table,
      Map<TableId, TableSetting> added,
      Map<TableId, TableSetting> removed) {
    config.put(PostgresSettings.TABLES_ADDED, TableSetting.print(added.values()));
    config.put(PostgresSettings.TABLES_REMOVED, TableSetting.print(removed.values()));
    // another table's fault must not keep this one from being switched
    connect.validate(config).values().stream()
        .flatMap(List::stream)
        .filter(error -> !tellsOfTable(error) || error.contains(" " + table + ":"))
        .findFirst()
        .ifPresent(
            error -> {
              throw problem(error);
            });
    connect.putConfig(connector, config);
  }

  private static boolean tellsOfTable(String error) {
    return TELLING.stream().anyMatch(type -> error.startsWith(type.type() + ": "));
  }

  /** A field's error as what a client is told. */
  private static ProblemException problem(String error) {
    for (ProblemType type : TELLING) {
      String tag = type.type() + ": ";
      if (error.startsWith(tag)) {
        return new ProblemException(type, error.substring(tag.length()));
      }
    }
    return new ProblemException(ProblemType.UNAVAILABLE, error);
  }

  private static Map<TableId, TableSetting> list(Map<String, String> config, String name) {
    Map<TableId, TableSetting> tables = new LinkedHashMap<>();
    for (TableSetting setting : TableSetting.parse(config.getOrDefault(name, ""))) {
      tables.put(setting.table(), setting);
    }
    return tables;
  }

  private Optional<TableDescriptor> await(
      Map<String, String> config,
      TableId table,
      Predicate<Optional<TableDescriptor>> expected,
      String what) {
    CapturedState state = new CapturedState(config);
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    try {
      while (true) {
        Optional<TableDescriptor> captured = state.captured(table);
        if (expected.test(captured)) {
          return captured;
        }
        if (System.nanoTime() > deadline) {
          break;
        }
        Thread.sleep(LOOK_EVERY.toMillis());
      }
    } catch (SQLException e) {
      ProblemException problem =
          new ProblemException(ProblemType.UNAVAILABLE, table + ": its database can't be reached");
      problem.initCause(e);
      throw problem;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    throw new ProblemException(
        ProblemType.UNAVAILABLE,
        table + ": waited " + PATIENCE.toSeconds() + " s for " + what + "; it goes on");
  }
}
