package dev.rowcast.fanout;

/**
 * How much memory and how many threads the feed takes.
 *
 * @param tailEvents how many of the newest events are kept in memory at most
 * @param tailBytes about how much memory they take at most
 * @param lagBytes how far, in bytes of frames, a subscriber may be behind its audience's newest
 *     frame before it reads on from the log
 * @param totalLagBytes the same for all audiences together
 * @param readers how many threads read history and pages
 */
public record FeedSettings(
    int tailEvents, long tailBytes, long lagBytes, long totalLagBytes, int readers) {
  /** For a node with a heap of 512 MiB or more. */
  public static final FeedSettings DEFAULT =
      new FeedSettings(100_000, 64L << 20, 8L << 20, 64L << 20, 4);

  public FeedSettings {
    requirePositive("tailEvents", tailEvents);
    requirePositive("tailBytes", tailBytes);
    requirePositive("lagBytes", lagBytes);
    requirePositive("totalLagBytes", totalLagBytes);
    requirePositive("readers", readers);
  }

  private static void requirePositive(String name, long value) {
    if (value < 1) {
      throw new IllegalArgumentException(name + ": " + value + " (expected: >= 1)");
    }
  }
}
