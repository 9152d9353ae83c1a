package dev.rowcast.log;

/** The outbox as the broker keeps it. Thread-safe; calls block. */
public interface EventLog extends AutoCloseable {

  /** The incarnation of the outbox. */
  String epoch();

  /**
   * What is there now.
   *
   * @throws dev.rowcast.problem.ProblemException {@code UNAVAILABLE} where the broker doesn't
   *     answer
   */
  LogRange range();

  /**
   * Reads on after a position that is not beyond what is committed. Whoever goes on where a read
   * ended gets what was fetched ahead for them.
   *
   * @param maxEvents the most events, {@code >= 1}
   * @param maxBytes where to stop; at least one event is read however large it is
   * @return at least one event, or a position that is further on, or, where there is nothing yet,
   *     neither
   * @throws TruncatedException if {@code after} is older than what is retained
   * @throws dev.rowcast.problem.ProblemException {@code UNAVAILABLE}
   */
  LogSlice read(long after, int maxEvents, int maxBytes) throws TruncatedException;

  @Override
  void close();
}
