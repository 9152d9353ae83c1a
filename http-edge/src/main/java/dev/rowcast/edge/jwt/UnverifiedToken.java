package dev.rowcast.edge.jwt;

import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.rowcast.edge.jwt.Judgement.Reason;
import java.io.IOException;
import java.util.Base64;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A token taken apart, nothing of it believed: a JWS in compact form (RFC 7515, 7.1) whose header
 * and payload are objects without a member twice, where two readers could see two tokens.
 *
 * @param compact the token
 * @param algorithm what it says it is signed by
 * @param keyId which key it says that it is signed with; null for none
 * @param claims its payload
 */
record UnverifiedToken(
    String compact, String algorithm, @Nullable String keyId, ObjectNode claims) {
  private static final Pattern FORM =
      Pattern.compile("[A-Za-z0-9_-]+\\.[A-Za-z0-9_-]+\\.[A-Za-z0-9_-]*");
  private static final int MAX_KEY_ID = 256;
  private static final int MAX_DEPTH = 16;
  private static final JsonMapper JSON =
      JsonMapper.builder(
              new JsonFactoryBuilder()
                  .streamReadConstraints(
                      StreamReadConstraints.builder().maxNestingDepth(MAX_DEPTH).build())
                  .build())
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
          .build();

  /** Whether a text has the outward form of a token. */
  static boolean looksLikeOne(String text) {
    return FORM.matcher(text).matches();
  }

  /**
   * @throws RefusedException for what isn't such a token
   */
  static UnverifiedToken of(String compact) throws RefusedException {
    if (!looksLikeOne(compact)) {
      throw malformed("not three parts (expected: a signed JWT)");
    }
    int first = compact.indexOf('.');
    int second = compact.lastIndexOf('.');
    ObjectNode header = object("header", compact.substring(0, first));
    ObjectNode claims = object("payload", compact.substring(first + 1, second));
    // extensions that change what a signature means, of which we know none (RFC 7515, 4.1.11)
    for (String member : new String[] {"crit", "b64", "zip", "enc"}) {
      if (header.has(member)) {
        throw malformed("header " + member + ": not supported");
      }
    }
    JsonNode algorithm = header.path("alg");
    JsonNode keyId = header.get("kid");
    if (!algorithm.isTextual()) {
      throw malformed("header alg: missing or not a string");
    }
    if (keyId != null && (!keyId.isTextual() || keyId.textValue().length() > MAX_KEY_ID)) {
      throw malformed("header kid: not a string of at most " + MAX_KEY_ID + " characters");
    }
    return new UnverifiedToken(
        compact, algorithm.textValue(), keyId == null ? null : keyId.textValue(), claims);
  }

  private static ObjectNode object(String part, String encoded) throws RefusedException {
    try {
      if (JSON.readTree(Base64.getUrlDecoder().decode(encoded)) instanceof ObjectNode object) {
        return object;
      }
    } catch (IOException | IllegalArgumentException e) {
      throw malformed(part + ": not base64url of JSON, or a member twice");
    }
    throw malformed(part + ": not an object");
  }

  private static RefusedException malformed(String detail) {
    return new RefusedException(Reason.MALFORMED, detail);
  }

  @Override
  public String toString() {
    return "UnverifiedToken[algorithm=" + algorithm + "]";
  }
}
