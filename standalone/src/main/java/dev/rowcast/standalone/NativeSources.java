package dev.rowcast.standalone;

import dev.rowcast.config.Configuration;
import dev.rowcast.config.SourceConfig;
import dev.rowcast.config.SourceConfig.SourceType;
import dev.rowcast.connectors.connect.ConnectCapture;
import dev.rowcast.connectors.connect.ConnectClient;
import dev.rowcast.connectors.connect.PostgresConnectorConfig;
import dev.rowcast.event.TableId;
import dev.rowcast.problem.ProblemException;
import dev.rowcast.problem.ProblemType;
import dev.rowcast.source.Capture;
import dev.rowcast.source.TableDescriptor;
import dev.rowcast.topic.Topics;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The PostgreSQL sources of a configuration as connectors in Kafka Connect. Thread-safe. */
final class NativeSources {
  private final Configuration configuration;
  private final Topics topics;
  private final ConnectClient connect;
  private final Map<String, Capture> captures = new LinkedHashMap<>();

  NativeSources(Configuration configuration, Topics topics) {
    this.configuration = configuration;
    this.topics = topics;
    this.connect = new ConnectClient(configuration.connect().url());
    for (SourceConfig source : sources()) {
      captures.put(source.id(), new ConnectCapture(connect, source.id()));
    }
  }

  private List<SourceConfig> sources() {
    return configuration.sources().stream()
        .filter(source -> source.type() == SourceType.POSTGRESQL)
        .toList();
  }

  String connectorName(String sourceId) {
    return PostgresConnectorConfig.connectorName(sourceId);
  }

  /**
   * Creates or changes the connectors, once all of them were found to be right: none is changed
   * where one can't be.
   *
   * @return the configured tables that aren't captured, as somebody released them over HTTP
   * @throws ProblemException with every fault: a table that doesn't exist, no usable key, no right
   */
  Set<TableId> apply() {
    List<Map<String, String>> configs = new ArrayList<>();
    List<String> faults = new ArrayList<>();
    for (SourceConfig source : sources()) {
      Map<String, String> config =
          PostgresConnectorConfig.of(
              source, configuration.tables(), topics, configuration.kafka().bootstrapServers());
      configs.add(config);
      connect
          .validate(config)
          .forEach((field, errors) -> errors.forEach(e -> faults.add(source.id() + ": " + e)));
    }
    if (!faults.isEmpty()) {
      throw new ProblemException(ProblemType.CAPTURE_REFUSED, String.join("\n", faults));
    }
    Set<TableId> released = new TreeSet<>();
    configs.forEach(config -> released.addAll(PostgresConnectorConfig.apply(connect, config)));
    return released;
  }

  void remove() {
    sources().forEach(source -> connect.delete(connectorName(source.id())));
  }

  /** Switches tables; null where there is no PostgreSQL source. */
  @Nullable Capture capture() {
    if (captures.isEmpty()) {
      return null;
    }
    return captures.size() == 1 ? captures.values().iterator().next() : new BySource();
  }

  /** Several sources: a configured table's own; another table's can't be told. */
  private final class BySource implements Capture {
    @Override
    public TableDescriptor enable(TableId table) {
      return of(table).enable(table);
    }

    @Override
    public void disable(TableId table) {
      of(table).disable(table);
    }

    private Capture of(TableId table) {
      return configuration.tables().stream()
          .filter(configured -> configured.table().equals(table))
          .map(configured -> captures.get(configured.sourceId()))
          .filter(capture -> capture != null)
          .findFirst()
          .orElseThrow(
              () ->
                  new ProblemException(
                      ProblemType.CAPTURE_REFUSED,
                      table
                          + ": which of the sources "
                          + captures.keySet()
                          + " has it isn't known (expected: a table of the configuration)"));
    }
  }
}
