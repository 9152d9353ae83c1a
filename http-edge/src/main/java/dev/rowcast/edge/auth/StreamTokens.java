package dev.rowcast.edge.auth;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.rowcast.event.Op;
import dev.rowcast.event.TableId;
import dev.rowcast.keys.ApiKey;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Base64;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * Stream tokens: {@code st1.<payload>.<HMAC-SHA256>}, both base64url. A token names a key, says
 * until when it is good for connecting, and may narrow what the key shows; that the key is still
 * valid is asked each time. Nothing is kept, so every node with the same secret takes every token.
 * Thread-safe.
 */
public final class StreamTokens {
  private static final String PREFIX = "st1.";
  private static final int MAX_LENGTH = 6144;
  private static final int MIN_SECRET_BYTES = 16;
  private static final ObjectMapper JSON = new ObjectMapper();

  private final SecretKeySpec signingKey;
  private final Duration lifetime;
  private final Clock clock;

  /**
   * @param secret what the signing key is derived from, {@code >= 16} bytes; the same on all nodes
   * @param lifetime how long a token is good for connecting
   */
  public StreamTokens(byte[] secret, Duration lifetime, Clock clock) {
    if (secret.length < MIN_SECRET_BYTES) {
      throw new IllegalArgumentException(
          "secret: " + secret.length + " bytes (expected: >= " + MIN_SECRET_BYTES + ")");
    }
    signingKey = derive(secret, "rowcast stream tokens 1");
    this.lifetime = lifetime;
    this.clock = clock;
  }

  /**
   * A token that is fresh.
   *
   * @param token what to show when connecting; not to be logged
   * @param expires from when on it no longer connects
   */
  public record Issued(String token, Instant expires) {
    @Override
    public String toString() {
      return "Issued[expires=" + expires + "]";
    }
  }

  /**
   * What a token says.
   *
   * @param keyId the key it came from
   * @param narrowing what it narrows that key to
   */
  public record Claims(String keyId, Narrowing narrowing) {}

  /** A token for a key, never good for longer than the key is. */
  public Issued issue(ApiKey key, Narrowing narrowing) {
    Instant expires = clock.instant().plus(lifetime).truncatedTo(ChronoUnit.SECONDS);
    if (key.expires() != null && key.expires().isBefore(expires)) {
      expires = key.expires().truncatedTo(ChronoUnit.SECONDS);
    }
    ObjectNode payload = JSON.createObjectNode();
    payload.put("k", key.id()).put("e", expires.getEpochSecond());
    if (narrowing.tables() != null) {
      ArrayNode tables = payload.putArray("t");
      narrowing.tables().forEach(t -> tables.addArray().add(t.schema()).add(t.name()));
    }
    if (!narrowing.ops().equals(Narrowing.NONE.ops())) {
      ArrayNode ops = payload.putArray("o");
      narrowing.ops().forEach(op -> ops.add(op.wire()));
    }
    String signed = PREFIX + encode(payload.toString().getBytes(UTF_8));
    return new Issued(signed + "." + encode(mac(signed)), expires);
  }

  /** Whether a text has the form of a token, be it good or not. */
  static boolean looksLikeOne(String text) {
    return text.startsWith(PREFIX);
  }

  /** What a token says; empty for one that we didn't sign or that has expired. */
  public Optional<Claims> verify(String token) {
    int dot = token.lastIndexOf('.');
    if (!looksLikeOne(token) || token.length() > MAX_LENGTH || dot < PREFIX.length()) {
      return Optional.empty();
    }
    String signed = token.substring(0, dot);
    byte[] shown = decode(token.substring(dot + 1));
    byte[] payload = decode(signed.substring(PREFIX.length()));
    // compared before anything of it is looked at, in a time that tells nothing
    if (shown == null || payload == null || !MessageDigest.isEqual(shown, mac(signed))) {
      return Optional.empty();
    }
    JsonNode claims = read(payload);
    Instant expires = Instant.ofEpochSecond(claims.path("e").asLong());
    return clock.instant().isBefore(expires)
        ? Optional.of(new Claims(claims.path("k").asText(), narrowing(claims)))
        : Optional.empty();
  }

  private static Narrowing narrowing(JsonNode claims) {
    Set<TableId> tables = claims.has("t") ? new HashSet<>() : null;
    if (tables != null) {
      for (JsonNode table : claims.get("t")) {
        tables.add(new TableId(table.path(0).asText(), table.path(1).asText()));
      }
    }
    Set<Op> ops = claims.has("o") ? EnumSet.noneOf(Op.class) : Narrowing.NONE.ops();
    for (JsonNode op : claims.path("o")) {
      Op.ofWire(op.asText()).ifPresent(ops::add);
    }
    return new Narrowing(tables, ops);
  }

  private byte[] mac(String text) {
    return hmac(signingKey, text.getBytes(US_ASCII));
  }

  /** HKDF-SHA256 (RFC 5869) without salt, for the 32 bytes of one key. */
  private static SecretKeySpec derive(byte[] secret, String purpose) {
    byte[] pseudoRandomKey = hmac(new SecretKeySpec(new byte[32], "HmacSHA256"), secret);
    byte[] info = (purpose + "\u0001").getBytes(US_ASCII);
    return new SecretKeySpec(
        hmac(new SecretKeySpec(pseudoRandomKey, "HmacSHA256"), info), "HmacSHA256");
  }

  private static byte[] hmac(SecretKeySpec key, byte[] text) {
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(key);
      return mac.doFinal(text);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e); // every Java platform has HmacSHA256
    }
  }

  private static String encode(byte[] bytes) {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }

  private static byte @Nullable [] decode(String text) {
    try {
      return Base64.getUrlDecoder().decode(text);
    } catch (IllegalArgumentException e) {
      return null;
    }
  }

  private static JsonNode read(byte[] payload) {
    try {
      return JSON.readTree(payload);
    } catch (IOException e) {
      throw new UncheckedIOException(e); // we signed it
    }
  }
}
