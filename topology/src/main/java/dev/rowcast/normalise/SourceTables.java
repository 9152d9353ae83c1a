package dev.rowcast.normalise;

import dev.rowcast.config.Configuration;
import dev.rowcast.config.SourceConfig;
import dev.rowcast.config.TableConfig;
import dev.rowcast.event.Column;
import dev.rowcast.source.Strategy;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Which of the configured tables come from topics, and from which. */
public final class SourceTables {
  // the store's changelog adds the application's name and its own words; Kafka's limit is 249
  private static final int LONGEST_TOPIC = 180;

  private SourceTables() {}

  /**
   * The tables with strategy {@code kafka}.
   *
   * @throws IllegalArgumentException if one has no key columns, no topic, or another table's topic;
   *     the message names the tables
   */
  public static List<SourceTable> of(Configuration configuration) {
    List<SourceTable> tables = new ArrayList<>();
    for (TableConfig table : configuration.tables()) {
      if (table.live().strategy() == Strategy.KAFKA) {
        tables.add(sourceTable(table, configuration.sources()));
      }
    }
    requireOwnTopics(tables);
    return List.copyOf(tables);
  }

  static void requireOwnTopics(List<SourceTable> tables) {
    Map<String, SourceTable> byTopic = new HashMap<>();
    for (SourceTable table : tables) {
      SourceTable other = byTopic.putIfAbsent(table.topic(), table);
      if (other != null) {
        throw new IllegalArgumentException(
            "topic "
                + table.topic()
                + ": of "
                + other.table()
                + " and "
                + table.table()
                + " (expected: a topic for each table)");
      }
    }
  }

  private static SourceTable sourceTable(TableConfig table, List<SourceConfig> sources) {
    if (table.keyColumns().isEmpty()) {
      throw new IllegalArgumentException(
          table.table() + ": no key_columns (expected: at least one, a topic can't tell)");
    }
    List<Column> columns = new ArrayList<>();
    for (TableConfig.ColumnConfig column : table.columns()) {
      String dataType = column.dataType();
      if (dataType != null) {
        columns.add(Column.of(column.name(), dataType));
      }
    }
    return new SourceTable(
        table.table(),
        table.sourceId(),
        table.live().strategy(),
        topic(table, sources),
        columns,
        table.keyColumns());
  }

  private static String topic(TableConfig table, List<SourceConfig> sources) {
    String topic = table.live().topic();
    if (topic == null) {
      topic = prefix(table, sources) + "." + table.table();
    }
    if (topic.length() > LONGEST_TOPIC) {
      throw new IllegalArgumentException(
          "topic of %s: %d characters (expected: <= %d)"
              .formatted(table.table(), topic.length(), LONGEST_TOPIC));
    }
    return topic;
  }

  private static String prefix(TableConfig table, List<SourceConfig> sources) {
    for (SourceConfig source : sources) {
      SourceConfig.CdcConfig cdc = source.cdc();
      @Nullable String prefix = cdc == null ? null : cdc.topicPrefix();
      if (source.id().equals(table.sourceId()) && prefix != null) {
        return prefix;
      }
    }
    throw new IllegalArgumentException(
        table.table() + ": no topic (expected: live.topic, or cdc.topic_prefix of its source)");
  }
}
