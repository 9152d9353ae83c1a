package dev.rowcast.edge.jwt;

import dev.rowcast.policy.Identity;
import java.time.Instant;

/** What is held of a token. */
public sealed interface Judgement {

  /**
   * It is believed.
   *
   * @param identity whom it speaks for
   * @param expires from when on it is refused: its {@code exp}
   * @param compact the token itself, to be judged again; not to be logged
   * @param issuer who judged it
   * @param keys what its signature was held against
   */
  record Accepted(Identity identity, Instant expires, String compact, Issuer issuer, KeySet keys)
      implements Judgement {
    @Override
    public String toString() {
      return "Accepted[identity=" + identity + ", expires=" + expires + "]";
    }
  }

  /**
   * It isn't.
   *
   * @param reason the kind, for metrics
   * @param detail what is wrong and what was expected; nothing of the token's values
   */
  record Refused(Reason reason, String detail) implements Judgement {}

  /** Its issuer's keys can't be had now, so nothing can be said. */
  record Undecided() implements Judgement {}

  /** Why a token is refused. */
  enum Reason {
    TOO_LONG,
    MALFORMED,
    ISSUER,
    ALGORITHM,
    KEY,
    SIGNATURE,
    EXPIRED,
    NOT_YET,
    AUDIENCE,
    CLAIMS,
    ROLE
  }
}
