package dev.rowcast.edge.auth;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.rowcast.event.Op;
import dev.rowcast.event.TableId;
import dev.rowcast.problem.ProblemException;
import dev.rowcast.problem.ProblemType;
import java.io.IOException;
import java.io.UncheckedIOException;
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
import org.jspecify.annotations.Nullable;

/**
 * Stream tokens, which say until when they are good for connecting and may narrow what their
 * credential shows; whether that is still valid is asked each time. Nothing is kept, so every node
 * with the same secret takes every token. Thread-safe.
 *
 * <ul>
 *   <li>{@code st1.<payload>.<HMAC-SHA256>} names an API key.
 *   <li>{@code st2.<AES-256-GCM>} holds the JWT that it came from, for it to be judged again. It is
 *       sealed since a stream token stands in URLs, where a JWT must not be read from.
 * </ul>
 */
public final class StreamTokens {
  private static final String OF_KEY = "st1.";
  private static final String OF_JWT = "st2.";

  /** What fits into a request line beside everything else in the 16 KiB of its headers. */
  private static final int MAX_LENGTH = 14_000;

  private static final ObjectMapper JSON = new ObjectMapper();

  private final TokenCrypto crypto;
  private final Duration lifetime;
  private final Clock clock;

  /**
   * @param secret what the keys are derived from, {@code >= 16} bytes; the same on all nodes
   * @param lifetime how long a token is good for connecting
   */
  public StreamTokens(byte[] secret, Duration lifetime, Clock clock) {
    this.crypto = new TokenCrypto(secret);
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
   * @param keyId the API key it came from; null where that was a JWT
   * @param jwt the JWT it came from; null where that was an API key; not to be logged
   * @param narrowing what it narrows that credential to
   */
  record Claims(@Nullable String keyId, @Nullable String jwt, Narrowing narrowing) {
    @Override
    public String toString() {
      return "Claims[keyId=" + keyId + ", narrowing=" + narrowing + "]";
    }
  }

  /**
   * A token for a credential, never good for longer than that is.
   *
   * @throws ProblemException {@code FORBIDDEN} for a JWT that is too long to stand in a URL
   */
  public Issued issue(Credential credential, Narrowing narrowing) {
    Instant expires = clock.instant().plus(lifetime).truncatedTo(ChronoUnit.SECONDS);
    Instant end = credential.expires();
    if (end != null && end.isBefore(expires)) {
      expires = end.truncatedTo(ChronoUnit.SECONDS);
    }
    ObjectNode payload = JSON.createObjectNode();
    payload.put("e", expires.getEpochSecond());
    if (narrowing.tables() != null) {
      ArrayNode tables = payload.putArray("t");
      narrowing.tables().forEach(t -> tables.addArray().add(t.schema()).add(t.name()));
    }
    if (!narrowing.ops().equals(Narrowing.NONE.ops())) {
      ArrayNode ops = payload.putArray("o");
      narrowing.ops().forEach(op -> ops.add(op.wire()));
    }
    String token;
    if (credential instanceof Credential.OfJwt jwt) {
      token = sealed(payload.put("j", jwt.token().compact()));
    } else {
      token = signed(payload.put("k", credential.id()));
    }
    if (token.length() > MAX_LENGTH) {
      throw new ProblemException(
          ProblemType.FORBIDDEN,
          "The credential and its tables are too long for a token that stands in a URL (expected: "
              + MAX_LENGTH
              + " characters at most)");
    }
    return new Issued(token, expires);
  }

  private String signed(ObjectNode payload) {
    String signed = OF_KEY + encode(payload.toString().getBytes(UTF_8));
    return signed + "." + encode(crypto.mac(signed));
  }

  private String sealed(ObjectNode payload) {
    return OF_JWT + encode(crypto.seal(payload.toString().getBytes(UTF_8)));
  }

  /** Whether a text has the form of a token, be it good or not. */
  static boolean looksLikeOne(String text) {
    return text.startsWith(OF_KEY) || text.startsWith(OF_JWT);
  }

  /** What a token says; empty for one that we didn't make or that has expired. */
  Optional<Claims> verify(String token) {
    if (token.length() > MAX_LENGTH) {
      return Optional.empty();
    }
    Optional<byte[]> payload = token.startsWith(OF_KEY) ? verified(token) : opened(token);
    return payload.map(StreamTokens::read).flatMap(this::claims);
  }

  private Optional<byte[]> verified(String token) {
    int dot = token.lastIndexOf('.');
    if (dot < OF_KEY.length()) {
      return Optional.empty();
    }
    String signed = token.substring(0, dot);
    byte[] shown = decode(token.substring(dot + 1));
    byte[] payload = decode(signed.substring(OF_KEY.length()));
    // compared before anything of it is looked at, in a time that tells nothing
    return shown == null || payload == null || !MessageDigest.isEqual(shown, crypto.mac(signed))
        ? Optional.empty()
        : Optional.of(payload);
  }

  private Optional<byte[]> opened(String token) {
    byte[] sealed = token.startsWith(OF_JWT) ? decode(token.substring(OF_JWT.length())) : null;
    return sealed == null ? Optional.empty() : crypto.open(sealed);
  }

  private Optional<Claims> claims(JsonNode payload) {
    Instant expires = Instant.ofEpochSecond(payload.path("e").asLong());
    return clock.instant().isBefore(expires)
        ? Optional.of(
            new Claims(
                payload.path("k").textValue(), payload.path("j").textValue(), narrowing(payload)))
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
