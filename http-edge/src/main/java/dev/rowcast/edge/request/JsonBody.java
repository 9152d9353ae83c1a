package dev.rowcast.edge.request;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.rowcast.problem.Problem;
import dev.rowcast.problem.ProblemException;
import dev.rowcast.problem.ProblemType;
import io.javalin.http.Context;
import java.io.IOException;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A JSON object that a client sent, read strictly: a member that isn't known or isn't of its type
 * is refused by name, so that a misspelt restriction is never taken for none.
 */
public final class JsonBody {
  private static final ObjectMapper JSON =
      JsonMapper.builder()
          .enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
          .build();

  /** The largest body that is read. */
  private static final int MAX_BYTES = 64 << 10;

  private final ObjectNode object;

  private JsonBody(ObjectNode object) {
    this.object = object;
  }

  /**
   * Reads the body of a request; an empty one is an object without members.
   *
   * @param members the members that are known
   * @throws ProblemException {@code BODY_TOO_LARGE}, {@code UNSUPPORTED_MEDIA_TYPE}, {@code
   *     INVALID_BODY}
   */
  public static JsonBody read(Context ctx, String... members) {
    byte[] bytes = bytes(ctx);
    if (bytes.length == 0) {
      return new JsonBody(JSON.createObjectNode());
    }
    requireJson(ctx.contentType());
    JsonNode tree;
    try {
      tree = JSON.readTree(bytes);
    } catch (JsonProcessingException e) {
      throw invalid("body: not JSON, or a member twice: line " + line(e));
    } catch (IOException e) {
      throw invalid("body: not JSON");
    }
    if (!(tree instanceof ObjectNode object)) {
      throw invalid("body: not an object (expected: an object with " + list(members) + ")");
    }
    for (Iterator<String> names = object.fieldNames(); names.hasNext(); ) {
      String name = names.next();
      if (!Set.of(members).contains(name)) {
        throw invalid(name + ": unknown member (expected: " + list(members) + ")");
      }
    }
    return new JsonBody(object);
  }

  private static byte[] bytes(Context ctx) {
    try {
      // read here and not by the framework: a chunked body has no length to check beforehand
      byte[] bytes = ctx.req().getInputStream().readNBytes(MAX_BYTES + 1);
      if (bytes.length > MAX_BYTES) {
        throw new ProblemException(
            ProblemType.BODY_TOO_LARGE, "body: too large (expected: <= " + MAX_BYTES + " bytes)");
      }
      return bytes;
    } catch (IOException e) {
      throw invalid("body: it ended early");
    }
  }

  private static void requireJson(@Nullable String contentType) {
    String type =
        contentType == null ? "" : contentType.split(";", 2)[0].strip().toLowerCase(Locale.ROOT);
    if (!type.equals("application/json") && !type.endsWith("+json")) {
      throw new ProblemException(
          ProblemType.UNSUPPORTED_MEDIA_TYPE,
          "Content-Type: '" + type + "' (expected: application/json)");
    }
  }

  /** A text that must be there and not be empty. */
  public String text(String name) {
    String text = optionalText(name);
    if (text == null || text.isBlank()) {
      throw invalid(name + ": missing or empty (expected: a string)");
    }
    return text;
  }

  public @Nullable String optionalText(String name) {
    JsonNode node = member(name);
    if (node != null && !node.isTextual()) {
      throw invalid(name + ": " + kind(node) + " (expected: a string)");
    }
    return node == null ? null : node.textValue();
  }

  /** A list of texts; null where it isn't given. */
  public @Nullable List<String> optionalTexts(String name) {
    JsonNode node = member(name);
    return node == null ? null : texts(name, node);
  }

  /** A point in time; null where it isn't given. */
  public @Nullable Instant optionalInstant(String name) {
    String text = optionalText(name);
    try {
      return text == null ? null : Instant.parse(text);
    } catch (DateTimeParseException e) {
      throw invalid(name + ": '" + text + "' (expected: ISO-8601 UTC, 2030-01-31T12:00:00Z)");
    }
  }

  /** The members of an object; none where it isn't given. */
  public Set<Map.Entry<String, JsonNode>> members(String name) {
    JsonNode node = member(name);
    if (node != null && !node.isObject()) {
      throw invalid(name + ": " + kind(node) + " (expected: an object)");
    }
    return node == null ? Set.of() : node.properties();
  }

  public static List<String> texts(String name, JsonNode node) {
    List<String> texts = new ArrayList<>();
    boolean all = node.isArray();
    for (JsonNode item : node) {
      all &= item.isTextual() && !item.textValue().isBlank();
      texts.add(item.asText());
    }
    if (!all) {
      throw invalid(name + ": " + kind(node) + " (expected: an array of strings)");
    }
    return texts;
  }

  /** What is wrong with the body, as an exception. */
  public static ProblemException invalid(String detail) {
    return new Problem(ProblemType.INVALID_BODY, detail).asException();
  }

  /** A node's kind, for messages. */
  public static String kind(JsonNode node) {
    return node.getNodeType().name().toLowerCase(Locale.ROOT);
  }

  private @Nullable JsonNode member(String name) {
    JsonNode node = object.get(name);
    return node == null || node.isNull() ? null : node;
  }

  private static String line(JsonProcessingException e) {
    return e.getLocation() == null ? "?" : Integer.toString(e.getLocation().getLineNr());
  }

  private static String list(String... members) {
    return members.length == 0 ? "no member" : String.join(", ", members);
  }
}
