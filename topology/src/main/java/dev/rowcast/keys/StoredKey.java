package dev.rowcast.keys;

/**
 * A key as the topic has it.
 *
 * @param key all but the secret
 * @param hash SHA-256 of the secret, lower-case hex
 */
record StoredKey(ApiKey key, String hash) {
  /** Not the hash: where secrets are weak, it is one. */
  @Override
  public String toString() {
    return "StoredKey[key=" + key + "]";
  }
}
