package dev.rowcast.edge.jwt;

/** Where an issuer's keys come from. Implementations are thread-safe. */
sealed interface IssuerKeys permits IssuerKeys.Fixed, PublishedKeys {

  /** The keys as they are known. Doesn't block. */
  KeySet current();

  /**
   * Looks for newer keys than {@code known}, unless that was done just now. May take seconds.
   *
   * @return what is known then
   * @throws dev.rowcast.problem.ProblemException {@code UNAVAILABLE} where too many wait already
   */
  KeySet newerThan(KeySet known);

  /** Keys that don't change. */
  record Fixed(KeySet current) implements IssuerKeys {
    @Override
    public KeySet newerThan(KeySet known) {
      return current;
    }
  }
}
