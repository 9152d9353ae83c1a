package dev.rowcast.connectors.postgres;

import dev.rowcast.source.SourceStatus;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Decides when the source's state is worth a record. Used by the task's thread only. */
final class StatusReporter {
  /** Every how many looks a state that didn't change is told again. */
  private static final int QUIET_LOOKS = 5;

  private final Duration interval;
  private @Nullable SourceStatus last;

  StatusReporter(PostgresSettings settings) {
    this.interval = Duration.ofMillis(settings.statusIntervalMillis());
  }

  /** Adds the status to the batch where it is due. */
  void report(SourceStatus now, Batch batch) {
    SourceStatus before = last;
    if (before == null || due(before, now)) {
      batch.status(now);
      last = now;
    }
  }

  private boolean due(SourceStatus before, SourceStatus now) {
    if (before.state() != now.state() || !Objects.equals(before.reason(), now.reason())) {
      return true;
    }
    Duration since = Duration.between(before.reported(), now.reported());
    boolean moved =
        before.lagEvents() != now.lagEvents()
            || !Objects.equals(before.lastEvent(), now.lastEvent());
    return since.compareTo(moved ? interval : interval.multipliedBy(QUIET_LOOKS)) >= 0;
  }
}
