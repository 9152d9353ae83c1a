package dev.rowcast.edge.jwt;

import dev.rowcast.config.JwtAlgorithm;
import dev.rowcast.config.JwtConfig;
import dev.rowcast.edge.jwt.Judgement.Accepted;
import dev.rowcast.edge.jwt.Judgement.Reason;
import dev.rowcast.edge.jwt.Judgement.Undecided;
import dev.rowcast.policy.Identity;
import java.security.Key;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jose4j.jwa.AlgorithmConstraints;
import org.jose4j.jwa.AlgorithmConstraints.ConstraintType;
import org.jose4j.jws.JsonWebSignature;
import org.jose4j.lang.JoseException;

/** One entry of {@code auth.jwt}, ready to judge. Immutable but for its keys; thread-safe. */
public final class Issuer {
  private final JwtConfig config;
  private final IssuerKeys keys;
  private final ClaimMapping mapping;
  private final Map<String, JwtAlgorithm> algorithms = new TreeMap<>();

  /**
   * @param roles the ids of all roles
   */
  Issuer(JwtConfig config, IssuerKeys keys, Set<String> roles) {
    this.config = config;
    this.keys = keys;
    this.mapping = new ClaimMapping(config, roles);
    config.algorithms().forEach(algorithm -> algorithms.put(algorithm.wire(), algorithm));
  }

  JwtConfig config() {
    return config;
  }

  IssuerKeys keys() {
    return keys;
  }

  /**
   * Judges a token whose {@code iss} is ours.
   *
   * @param patient whether to wait for keys that aren't here yet: for seconds at most
   * @throws RefusedException if it isn't to be believed
   */
  Judgement judge(UnverifiedToken token, Instant now, boolean patient) throws RefusedException {
    if (token.compact().length() > config.maxBytes()) {
      throw new RefusedException(
          Reason.TOO_LONG,
          "The JWT has "
              + token.compact().length()
              + " bytes (expected: at most "
              + config.maxBytes()
              + ")");
    }
    JwtAlgorithm algorithm = algorithms.get(token.algorithm());
    if (algorithm == null) {
      throw new RefusedException(
          Reason.ALGORITHM,
          "header alg: not allowed (expected: " + String.join(", ", algorithms.keySet()) + ")");
    }
    KeySet known = keys.current();
    List<Key> fitting = known.fitting(algorithm, token.keyId());
    if (fitting.isEmpty() && patient) {
      known = keys.newerThan(known);
      fitting = known.fitting(algorithm, token.keyId());
    }
    if (known.isUnknown()) {
      return new Undecided();
    }
    requireSignature(token, algorithm, fitting);
    Instant expires = ClaimChecks.require(config, token.claims(), now);
    Identity identity = mapping.identity(token.claims());
    return new Accepted(identity, expires, token.compact(), this, known);
  }

  private static void requireSignature(
      UnverifiedToken token, JwtAlgorithm algorithm, List<Key> fitting) throws RefusedException {
    if (fitting.isEmpty()) {
      throw new RefusedException(
          Reason.KEY, "header kid: not a key of the issuer's for this algorithm");
    }
    for (Key key : fitting) {
      if (isSigned(token, algorithm, key)) {
        return;
      }
    }
    throw new RefusedException(Reason.SIGNATURE, "The signature isn't the issuer's");
  }

  private static boolean isSigned(UnverifiedToken token, JwtAlgorithm algorithm, Key key) {
    try {
      JsonWebSignature signature = new JsonWebSignature();
      signature.setAlgorithmConstraints(
          new AlgorithmConstraints(ConstraintType.PERMIT, algorithm.wire()));
      signature.setCompactSerialization(token.compact());
      signature.setKey(key);
      return signature.verifySignature();
    } catch (JoseException e) {
      return false; // a key that doesn't do for the algorithm, or no signature at all
    }
  }
}
