package dev.rowcast.keys;

import dev.rowcast.policy.Identity;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The keys that are valid now. Reads are answered from memory; changes return once this node has
 * seen them. Thread-safe.
 */
public interface ApiKeys {

  /** The key with this secret; empty for an unknown, revoked or expired one. */
  Optional<ApiKey> authenticate(String secret);

  /** The key with this id; empty for an unknown, revoked or expired one. */
  Optional<ApiKey> find(String id);

  /** All that aren't revoked, oldest first. */
  List<ApiKey> list();

  /**
   * Makes a key.
   *
   * @throws dev.rowcast.problem.ProblemException {@code UNAVAILABLE} where Kafka doesn't take it
   */
  Issued create(String name, Identity identity, @Nullable Instant expires);

  /**
   * Makes a key with a secret that is known already (a demo's, a deployment's); does nothing where
   * a valid key has it.
   */
  ApiKey ensure(String name, String secret, Identity identity);

  /**
   * Revokes a key.
   *
   * @return whether there was one
   */
  boolean revoke(String id);

  /** Notes that a key was used just now. Costs next to nothing and waits for nobody. */
  void used(String id);

  /** When a key was used last on any node, to within some minutes; empty for never. */
  Optional<Instant> lastUse(String id);

  /**
   * A new key.
   *
   * @param key the key
   * @param secret its secret, to be shown once: it is not kept
   */
  record Issued(ApiKey key, String secret) {
    @Override
    public String toString() {
      return "Issued[key=" + key + "]";
    }
  }
}
