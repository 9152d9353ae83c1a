package dev.rowcast.event;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Base64;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Brings rows as a source writes them in JSON into the one form that events have: every digit and
 * scale kept, timestamps with a zone in UTC with {@code Z}, binary as base64, no white space
 * outside strings, members in the order of the source. The rules are the contract's "Values".
 *
 * <p>Immutable, thread-safe.
 */
public final class RowEncoder {
  // A row came through a database or a broker that has limits of its own; a second, lower one here
  // would lose it.
  private static final JsonFactory JSON =
      JsonFactory.builder()
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNestingDepth(Integer.MAX_VALUE)
                  .maxNumberLength(Integer.MAX_VALUE)
                  .maxStringLength(Integer.MAX_VALUE)
                  .maxNameLength(Integer.MAX_VALUE)
                  .build())
          .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
          .build();

  private final Map<String, ColumnType> types;

  public RowEncoder(List<Column> columns) {
    types = typesByName(columns);
  }

  /**
   * The row in canonical form.
   *
   * @throws MalformedRowException if {@code json} isn't exactly one JSON object, names a column
   *     twice (whoever judges the row and whoever reads it could take different ones), or holds a
   *     value that its column's type can't
   */
  public JsonObject encode(byte[] json) throws MalformedRowException {
    try (JsonParser parser = JSON.createParser(json)) {
      return encode(parser, json.length);
    } catch (IOException e) {
      return encodeCharacters(json);
    }
  }

  /**
   * The second try, for names with unpaired surrogates, which PostgreSQL's {@code json} type lets
   * through: only the library's parser of characters takes them.
   */
  private JsonObject encodeCharacters(byte[] json) throws MalformedRowException {
    try {
      String text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(json)).toString();
      try (JsonParser parser = JSON.createParser(text)) {
        return encode(parser, json.length);
      }
    } catch (JsonProcessingException e) {
      throw new MalformedRowException(
          "row: not JSON at character " + e.getLocation().getCharOffset() + " (expected: RFC 8259)",
          e);
    } catch (IOException e) {
      // the input is in memory: only its character encoding can fail
      throw new MalformedRowException("row: not in UTF-8 (expected: RFC 8259)", e);
    }
  }

  private JsonObject encode(JsonParser parser, int length)
      throws IOException, MalformedRowException {
    if (parser.nextToken() != JsonToken.START_OBJECT) {
      throw new MalformedRowException(
          "row: " + describe(parser.currentToken()) + " (expected: a JSON object)");
    }
    JsonBytes out = new JsonBytes(length + 16);
    row(parser, out);
    if (parser.nextToken() != null) {
      throw new MalformedRowException("row: more after the object (expected: one JSON object)");
    }
    return JsonObject.of(out.toByteArray());
  }

  private static Map<String, ColumnType> typesByName(List<Column> columns) {
    Map<String, ColumnType> types = new HashMap<>();
    for (Column column : columns) {
      types.put(column.name(), column.type());
    }
    return Map.copyOf(types);
  }

  /**
   * An object or array that is open.
   *
   * @param fields the types of an object's members; null for an array
   * @param element the type of an array's elements at any depth; null where not known
   */
  private record Container(@Nullable Map<String, ColumnType> fields, @Nullable ColumnType element) {

    Container object(@Nullable ColumnType type) {
      return new Container(
          type instanceof ColumnType.Composite c ? typesByName(c.fields()) : Map.of(), null);
    }

    /** An array in this container: arrays in arrays have the same element type at every depth. */
    Container array(@Nullable ColumnType type) {
      return new Container(
          null, type instanceof ColumnType.Array a ? a.element() : fields == null ? element : null);
    }
  }

  /** Copies the object whose start was read. A loop, not a recursion: depth costs no stack. */
  private void row(JsonParser in, JsonBytes out) throws IOException, MalformedRowException {
    Set<String> names = new HashSet<>();
    Deque<Container> around = new ArrayDeque<>();
    Container container = new Container(types, null);
    ColumnType member = null;
    boolean comma = false;
    out.raw('{');
    while (true) {
      JsonToken token = in.nextToken();
      if (comma && token != JsonToken.END_OBJECT && token != JsonToken.END_ARRAY) {
        out.raw(',');
      }
      comma = true;
      ColumnType type = container.fields() == null ? container.element() : member;
      switch (token) {
        case FIELD_NAME -> {
          String name = in.currentName();
          if (around.isEmpty() && !names.add(name)) {
            throw new MalformedRowException("row: a column twice (expected: each column once)");
          }
          out.string(name).raw(':');
          member = container.fields() == null ? null : container.fields().get(name);
          comma = false;
        }
        case START_OBJECT, START_ARRAY -> {
          around.push(container);
          boolean object = token == JsonToken.START_OBJECT;
          container = object ? container.object(type) : container.array(type);
          out.raw(object ? '{' : '[');
          comma = false;
        }
        case END_OBJECT, END_ARRAY -> {
          out.raw(token == JsonToken.END_OBJECT ? '}' : ']');
          if (around.isEmpty()) {
            return;
          }
          container = around.pop();
        }
        default -> scalar(in, type, out);
      }
    }
  }

  private static void scalar(JsonParser in, @Nullable ColumnType type, JsonBytes out)
      throws IOException, MalformedRowException {
    switch (in.currentToken()) {
      case VALUE_NULL -> out.ascii("null");
      case VALUE_TRUE -> out.ascii("true");
      case VALUE_FALSE -> out.ascii("false");
      case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> out.ascii(in.getText());
      case VALUE_STRING -> string(in, type, out);
      case FIELD_NAME,
          START_OBJECT,
          END_OBJECT,
          START_ARRAY,
          END_ARRAY,
          VALUE_EMBEDDED_OBJECT,
          NOT_AVAILABLE ->
          throw new IllegalStateException("token " + in.currentToken());
    }
  }

  private static void string(JsonParser in, @Nullable ColumnType type, JsonBytes out)
      throws IOException, MalformedRowException {
    if (type == ColumnType.Scalar.TIMESTAMP_TZ) {
      out.string(Timestamps.toUtc(in.getText()));
    } else if (type == ColumnType.Scalar.BYTES && in.getText().startsWith("\\x")) {
      out.string(Base64.getEncoder().encodeToString(hex(in.getText())));
    } else {
      out.string(in.getTextCharacters(), in.getTextOffset(), in.getTextLength());
    }
  }

  private static byte[] hex(String text) throws MalformedRowException {
    try {
      return HexFormat.of().parseHex(text, 2, text.length());
    } catch (IllegalArgumentException e) {
      throw new MalformedRowException("row: binary (expected: \\x and pairs of hex digits)", e);
    }
  }

  private static String describe(@Nullable JsonToken token) {
    return token == null ? "nothing" : token.toString();
  }
}
