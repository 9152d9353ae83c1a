package dev.rowcast.source;

import static java.util.Objects.requireNonNull;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * How a source fares.
 *
 * @param source its {@code id} in the configuration
 * @param state what it does
 * @param reason why, where the state needs one ({@code FAILED}, {@code FALLING_BACK}); null
 *     otherwise
 * @param lagEvents changes that are made and not yet in {@code events}; -1 where not known
 * @param lagMillis the age of the oldest of them, in ms; 0 where there is none, -1 where not known
 * @param lastEvent when the last change that is in {@code events} was made; null for none yet
 * @param reported when this was true
 */
public record SourceStatus(
    String source,
    State state,
    @Nullable String reason,
    long lagEvents,
    long lagMillis,
    @Nullable Instant lastEvent,
    Instant reported) {

  /** What a source does. */
  public enum State {
    STARTING,
    SNAPSHOTTING,
    STREAMING,
    FALLING_BACK,
    FAILED
  }

  public SourceStatus {
    requireNonNull(source, "source");
    requireNonNull(state, "state");
    requireNonNull(reported, "reported");
  }
}
