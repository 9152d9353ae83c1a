package dev.rowcast.normalise;

import dev.rowcast.event.TableId;
import dev.rowcast.normalise.SourceTopics.Progress;
import dev.rowcast.source.SourceStatus;
import dev.rowcast.source.SourceStatus.State;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Function;
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

  /**
   * The state of each source.
   *
   * @param state what the application does
   * @param failure why it fails altogether; null where it doesn't
   * @param faultOf why a topic can't be read; null where it can
   * @param progress how far the topics are read
   * @param counts by table
   */
  List<SourceStatus> report(
      Instant now,
      State state,
      @Nullable String failure,
      Function<String, @Nullable String> faultOf,
      Map<TopicPartition, Progress> progress,
      Map<TableId, TableCounts> counts) {
    List<SourceStatus> reports = new ArrayList<>();
    bySource.forEach(
        (source, tables) -> {
          String reason = failure == null ? fault(tables, faultOf) : failure;
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

  private static @Nullable String fault(
      List<SourceTable> tables, Function<String, @Nullable String> faultOf) {
    List<String> faults =
        tables.stream()
            .map(table -> faultOf.apply(table.topic()))
            .filter(Objects::nonNull)
            .toList();
    return faults.isEmpty() ? null : String.join("; ", faults);
  }

  private static @Nullable Instant lastEvent(
      List<SourceTable> tables, Map<TableId, TableCounts> counts) {
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
