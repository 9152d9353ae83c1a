package dev.rowcast.edge.jwt;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.rowcast.config.JwtAlgorithm;
import dev.rowcast.config.Secret;
import java.security.Key;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jose4j.jwk.EllipticCurveJsonWebKey;
import org.jose4j.jwk.JsonWebKey;
import org.jose4j.jwk.JsonWebKeySet;
import org.jose4j.jwk.OctetKeyPairJsonWebKey;
import org.jose4j.jwk.OctetSequenceJsonWebKey;
import org.jose4j.jwk.RsaJsonWebKey;
import org.jose4j.jwk.Use;
import org.jose4j.keys.HmacKey;
import org.jose4j.lang.JoseException;
import org.jspecify.annotations.Nullable;

/**
 * The keys of one issuer as they were at one time. Compared by being itself: who holds it can tell
 * whether there is a newer one. Immutable; thread-safe.
 */
public final class KeySet {
  /** What is known before anything is. */
  static final KeySet UNKNOWN = new KeySet(List.of(), Set.of());

  /** How many keys are kept, and so how many signatures one token can have us check. */
  private static final int MAX_KEYS = 64;

  private static final Set<String> EDWARDS = Set.of("Ed25519", "Ed448");

  private final List<Entry> entries;
  private final Set<String> thumbprints;

  private KeySet(List<Entry> entries, Set<String> thumbprints) {
    this.entries = List.copyOf(entries);
    this.thumbprints = Set.copyOf(thumbprints);
  }

  /**
   * One key.
   *
   * @param id its {@code kid}; null for none
   * @param algorithms what it may verify: by its type and curve, so that no public key can ever be
   *     taken for an HMAC secret
   */
  private record Entry(@Nullable String id, Set<JwtAlgorithm> algorithms, Key key) {}

  /** A secret, whatever {@code kid} a token names. */
  static KeySet of(Secret secret) {
    Set<JwtAlgorithm> hmac = Set.of(JwtAlgorithm.HS256, JwtAlgorithm.HS384, JwtAlgorithm.HS512);
    Key key = new HmacKey(secret.reveal().getBytes(UTF_8));
    return new KeySet(List.of(new Entry(null, hmac, key)), Set.of());
  }

  /**
   * What an issuer published. Keys that we can't use, or that aren't for signatures, are left out;
   * so are symmetric ones: what is published is no secret.
   *
   * @throws IllegalArgumentException if it isn't a key set (RFC 7517, 5)
   */
  static KeySet parse(String json) {
    List<Entry> entries = new ArrayList<>();
    Set<String> thumbprints = new TreeSet<>();
    try {
      for (JsonWebKey key : new JsonWebKeySet(json).getJsonWebKeys()) {
        Set<JwtAlgorithm> algorithms = algorithms(key);
        if (!algorithms.isEmpty() && entries.size() < MAX_KEYS) {
          entries.add(new Entry(key.getKeyId(), algorithms, key.getKey()));
          thumbprints.add(
              key.getKeyId() + " " + key.calculateBase64urlEncodedThumbprint("SHA-256"));
        }
      }
    } catch (JoseException | RuntimeException e) {
      throw new IllegalArgumentException("not a JSON Web Key Set", e);
    }
    return new KeySet(entries, thumbprints);
  }

  private static Set<JwtAlgorithm> algorithms(JsonWebKey key) {
    List<String> operations = key.getKeyOps();
    boolean verifies = operations == null || operations.contains("verify");
    boolean signatures = key.getUse() == null || key.getUse().equals(Use.SIGNATURE);
    if (!verifies || !signatures || key instanceof OctetSequenceJsonWebKey) {
      return Set.of();
    }
    Set<JwtAlgorithm> algorithms = new TreeSet<>(byType(key));
    algorithms.removeIf(a -> key.getAlgorithm() != null && !a.wire().equals(key.getAlgorithm()));
    return algorithms;
  }

  private static Set<JwtAlgorithm> byType(JsonWebKey key) {
    if (key instanceof RsaJsonWebKey) {
      return Set.of(
          JwtAlgorithm.RS256,
          JwtAlgorithm.RS384,
          JwtAlgorithm.RS512,
          JwtAlgorithm.PS256,
          JwtAlgorithm.PS384,
          JwtAlgorithm.PS512);
    }
    if (key instanceof EllipticCurveJsonWebKey curve) {
      return switch (curve.getCurveName()) {
        case "P-256" -> Set.of(JwtAlgorithm.ES256);
        case "P-384" -> Set.of(JwtAlgorithm.ES384);
        case "P-521" -> Set.of(JwtAlgorithm.ES512);
        default -> Set.of();
      };
    }
    return key instanceof OctetKeyPairJsonWebKey pair && EDWARDS.contains(pair.getSubtype())
        ? Set.of(JwtAlgorithm.EDDSA)
        : Set.of();
  }

  /**
   * The keys that may have signed a token.
   *
   * @param keyId the {@code kid} that it names; null for any key
   */
  List<Key> fitting(JwtAlgorithm algorithm, @Nullable String keyId) {
    return entries.stream()
        .filter(entry -> entry.algorithms().contains(algorithm))
        .filter(e -> keyId == null || e.id() == null || e.id().equals(keyId))
        .map(Entry::key)
        .toList();
  }

  boolean isUnknown() {
    return this == UNKNOWN;
  }

  /** Whether both hold the same keys under the same ids. */
  boolean sameAs(KeySet other) {
    return !isUnknown() && !other.isUnknown() && thumbprints.equals(other.thumbprints);
  }
}
