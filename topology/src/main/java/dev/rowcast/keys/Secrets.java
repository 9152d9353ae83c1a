package dev.rowcast.keys;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.HexFormat;

/**
 * Secrets of API keys and what is kept of them. A secret has 256 random bits, so one SHA-256 is
 * enough to hide it, and finding a key by that hash tells a clock nothing about the secret.
 */
final class Secrets {
  /** What a secret starts with, so that scanners find one that was committed or pasted. */
  static final String PREFIX = "rc_";

  private static final int LONGEST = 1024;
  private static final SecureRandom RANDOM = new SecureRandom();

  private Secrets() {}

  static String random() {
    return PREFIX + base64(32);
  }

  static String randomId() {
    return "k_" + base64(12);
  }

  /**
   * The id of a key whose secret is given: every node that is told the secret makes the same
   * record.
   */
  static String idOf(String secret) {
    return "k_" + sha256("id of " + secret).substring(0, 24);
  }

  /** Whether it is worth a look: nobody makes us hash megabytes. */
  static boolean isPlausible(String secret) {
    return !secret.isEmpty() && secret.length() <= LONGEST;
  }

  /** Lower-case hex. */
  static String sha256(String text) {
    try {
      byte[] hash =
          MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(hash);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e); // every Java platform has it
    }
  }

  private static String base64(int bytes) {
    byte[] random = new byte[bytes];
    RANDOM.nextBytes(random);
    return Base64.getUrlEncoder().withoutPadding().encodeToString(random);
  }
}
