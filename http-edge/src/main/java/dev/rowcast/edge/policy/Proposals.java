package dev.rowcast.edge.policy;

import dev.rowcast.policy.Identity;
import dev.rowcast.policy.Policy;

/** Makes policies to be tried out. Thread-safe. */
@FunctionalInterface
public interface Proposals {

  /**
   * Two policies that differ by a proposal only; neither of them counts what it hides, and nothing
   * takes effect.
   *
   * @param now as it holds now
   * @param proposed as it would be
   */
  record Trial(Policy now, Policy proposed) {}

  /**
   * Compiles a proposal.
   *
   * @param document {@code roles}, {@code rls_rules} and {@code tables} (of these {@code id} and
   *     {@code columns}) in the form of {@code rowcast.yaml}; what it leaves out stays as it is
   * @param asker who is told what comes of it
   * @throws dev.rowcast.problem.ProblemException {@code INVALID_BODY} with every fault; {@code
   *     FORBIDDEN} for a new rule over what the asker doesn't see, which would tell them
   */
  Trial of(String document, Identity asker);
}
