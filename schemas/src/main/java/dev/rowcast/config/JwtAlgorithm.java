package dev.rowcast.config;

/**
 * How a JWT may be signed (RFC 7518, 3.1; RFC 8037). There is no {@code none}: what isn't signed
 * isn't a credential.
 */
public enum JwtAlgorithm {
  HS256("HS256", Family.SHARED_SECRET, 32),
  HS384("HS384", Family.SHARED_SECRET, 48),
  HS512("HS512", Family.SHARED_SECRET, 64),
  RS256("RS256", Family.PUBLIC_KEY, 0),
  RS384("RS384", Family.PUBLIC_KEY, 0),
  RS512("RS512", Family.PUBLIC_KEY, 0),
  PS256("PS256", Family.PUBLIC_KEY, 0),
  PS384("PS384", Family.PUBLIC_KEY, 0),
  PS512("PS512", Family.PUBLIC_KEY, 0),
  ES256("ES256", Family.PUBLIC_KEY, 0),
  ES384("ES384", Family.PUBLIC_KEY, 0),
  ES512("ES512", Family.PUBLIC_KEY, 0),
  EDDSA("EdDSA", Family.PUBLIC_KEY, 0);

  /** What verifies a signature. One issuer has one of them: so no public key becomes a secret. */
  public enum Family {
    SHARED_SECRET,
    PUBLIC_KEY
  }

  private final String wire;
  private final Family family;
  private final int minSecretBytes;

  JwtAlgorithm(String wire, Family family, int minSecretBytes) {
    this.wire = wire;
    this.family = family;
    this.minSecretBytes = minSecretBytes;
  }

  /** Its name in the header {@code alg}, and in the configuration. */
  public String wire() {
    return wire;
  }

  public Family family() {
    return family;
  }

  /** How many bytes a shared secret must have (RFC 7518, 3.2); 0 where there is none. */
  int minSecretBytes() {
    return minSecretBytes;
  }
}
