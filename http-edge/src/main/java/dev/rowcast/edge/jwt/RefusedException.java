package dev.rowcast.edge.jwt;

import dev.rowcast.edge.jwt.Judgement.Reason;
import dev.rowcast.edge.jwt.Judgement.Refused;

/** Ends the judging of a token; never leaves this package. */
final class RefusedException extends Exception {
  private static final long serialVersionUID = 1L;

  private final transient Refused refused;

  RefusedException(Reason reason, String detail) {
    super(detail, null, false, false);
    refused = new Refused(reason, detail);
  }

  Refused refused() {
    return refused;
  }
}
