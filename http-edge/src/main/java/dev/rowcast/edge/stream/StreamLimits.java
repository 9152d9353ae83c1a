package dev.rowcast.edge.stream;

import java.time.Duration;

/**
 * What one node lets itself in for.
 *
 * @param maxStreams open streams at most; beyond, a client is told to come back later
 * @param maxStreamsPerKey open streams of one key at most; beyond, 429
 * @param maxWriteBytes about how many bytes are taken from a subscription at once, and the most
 *     that one write holds: what a client that doesn't read pins, beside one event
 * @param heartbeat how often a quiet stream says that it lives
 */
public record StreamLimits(
    int maxStreams, int maxStreamsPerKey, int maxWriteBytes, Duration heartbeat) {
  /** With short heartbeats a busy machine must not be taken for a dead client. */
  private static final Duration LEAST_STALL = Duration.ofSeconds(2);

  public static StreamLimits of(Duration heartbeat) {
    return new StreamLimits(50_000, 10_000, 64 << 10, heartbeat);
  }

  /** How long a write may make no progress until the client is taken for dead. */
  public Duration stall() {
    Duration two = heartbeat.multipliedBy(2);
    return two.compareTo(LEAST_STALL) < 0 ? LEAST_STALL : two;
  }
}
