package dev.rowcast.edge.auth;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Optional;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.Mac;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * Signs and seals with keys that are derived from the node's one secret, another for each purpose.
 * Thread-safe.
 */
final class TokenCrypto {
  private static final int MIN_SECRET_BYTES = 16;
  private static final int NONCE_BYTES = 12;
  private static final int TAG_BITS = 128;
  private static final String HMAC = "HmacSHA256";
  private static final SecureRandom RANDOM = new SecureRandom();

  private final SecretKeySpec signing;
  private final SecretKeySpec sealing;

  /**
   * @param secret what the keys are derived from, {@code >= 16} bytes
   */
  TokenCrypto(byte[] secret) {
    if (secret.length < MIN_SECRET_BYTES) {
      throw new IllegalArgumentException(
          "secret: " + secret.length + " bytes (expected: >= " + MIN_SECRET_BYTES + ")");
    }
    signing = new SecretKeySpec(derive(secret, "rowcast stream tokens 1"), HMAC);
    sealing = new SecretKeySpec(derive(secret, "rowcast stream tokens 2"), "AES");
  }

  /** HMAC-SHA256 of a text in ASCII. */
  byte[] mac(String text) {
    return hmac(signing, text.getBytes(US_ASCII));
  }

  /** AES-256-GCM: the nonce, then the ciphertext and its tag. */
  byte[] seal(byte[] plain) {
    byte[] nonce = new byte[NONCE_BYTES];
    RANDOM.nextBytes(nonce);
    try {
      byte[] sealed = cipher(Cipher.ENCRYPT_MODE, nonce).doFinal(plain);
      byte[] all = Arrays.copyOf(nonce, NONCE_BYTES + sealed.length);
      System.arraycopy(sealed, 0, all, NONCE_BYTES, sealed.length);
      return all;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e); // every Java platform has AES/GCM
    }
  }

  /** What was sealed; empty for what we didn't seal, or what was changed since. */
  Optional<byte[]> open(byte[] sealed) {
    if (sealed.length < NONCE_BYTES + TAG_BITS / Byte.SIZE) {
      return Optional.empty();
    }
    try {
      Cipher cipher = cipher(Cipher.DECRYPT_MODE, Arrays.copyOf(sealed, NONCE_BYTES));
      return Optional.of(cipher.doFinal(sealed, NONCE_BYTES, sealed.length - NONCE_BYTES));
    } catch (AEADBadTagException e) {
      return Optional.empty();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e); // every Java platform has AES/GCM
    }
  }

  private Cipher cipher(int mode, byte[] nonce) throws GeneralSecurityException {
    Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
    cipher.init(mode, sealing, new GCMParameterSpec(TAG_BITS, nonce));
    return cipher;
  }

  /** HKDF-SHA256 (RFC 5869) without salt, for the 32 bytes of one key. */
  private static byte[] derive(byte[] secret, String purpose) {
    byte[] pseudoRandomKey = hmac(new SecretKeySpec(new byte[32], HMAC), secret);
    byte[] info = (purpose + "\u0001").getBytes(US_ASCII);
    return hmac(new SecretKeySpec(pseudoRandomKey, HMAC), info);
  }

  private static byte[] hmac(SecretKeySpec key, byte[] text) {
    try {
      Mac mac = Mac.getInstance(HMAC);
      mac.init(key);
      return mac.doFinal(text);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e); // every Java platform has HmacSHA256
    }
  }
}
