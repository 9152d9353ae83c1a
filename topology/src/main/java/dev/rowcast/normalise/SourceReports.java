package dev.rowcast.normalise;

import dev.rowcast.normalise.SourceTopics.Progress;
import dev.rowcast.source.SourceStatus;
import dev.rowcast.source.SourceStatus.State;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/** From what is known of topics and application to what the catalog says of sources. One thread. */
final class SourceReports {
  private final Map<String, List<SourceTable>> bySource = new TreeMap<>();
  private final Map<TopicPartition, Lag> lags = new HashMap<>();

  SourceReports(List<SourceTable> tables) {
    for (SourceTable table : tables) {
      bySource.computeIfAbsent(table.source(), source -> new ArrayList<>()).add(table);
    }
  }

  /** What all sources' states are before Kafka has answered. */
  List<SourceStatus> report(
      Instant now,
      State state,
      @Nullable String failure,
      Set<String> topics,
      Map<TopicPartition, Progress> progress,
      Map<?, TableCounts> counts) {
    List<SourceStatus> reports = new ArrayList<>();
    bySource.forEach(
        (source, tables) -> {
          String reason = failure == null ? missing(tables, topics) : failure;
          long events = 0;
          Duration age = Duration.ZERO;
          for (Map.Entry<TopicPartition, Progress> partition : progress.entrySet()) {
            if (isOf(partition.getKey(), tables)) {
              events += partition.getValue().lag();
              Duration lag = look(now, partition.getKey(), partition.getValue());
              age = lag.compareTo(age) > 0 ? lag : age;
            }
          }
          reports.add(
              new SourceStatus(
                  source,
                  reason == null ? state : State.FAILED,
                  reason,
                  events,
                  age.toMillis(),
                  lastEvent(tables, counts),
                  now));
        });
    return reports;
  }

  private Duration look(Instant now, TopicPartition partition, Progress progress) {
    return lags.computeIfAbsent(partition, p -> new Lag())
        .look(now, progress.end(), progress.position());
  }

  private static boolean isOf(TopicPartition partition, List<SourceTable> tables) {
    return tables.stream().anyMatch(table -> table.topic().equals(partition.topic()));
  }

  private static @Nullable String missing(List<SourceTable> tables, Set<String> topics) {
    List<String> missing =
        tables.stream().map(SourceTable::topic).filter(topic -> !topics.contains(topic)).toList();
    return missing.isEmpty()
        ? null
        : "missing in Kafka: topic "
            + String.join(", ", missing)
            + " (expected: created by whoever writes it; it is read once it exists)";
  }

  private static @Nullable Instant lastEvent(List<SourceTable> tables, Map<?, TableCounts> counts) {
    Instant last = null;
    for (SourceTable table : tables) {
      TableCounts tableCounts = counts.get(table.table());
      Instant event = tableCounts == null ? null : tableCounts.lastEvent();
      if (event != null && (last == null || event.isAfter(last))) {
        last = event;
      }
    }
    return last;
  }
}
