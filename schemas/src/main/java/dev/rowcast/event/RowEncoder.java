package dev.rowcast.event;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Base64;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Brings rows as a source writes them in JSON into the one form that events have: every digit and
 * scale kept, timestamps with a zone in UTC with {@code Z}, binary as base64, no white space
 * outside strings, members in the order of the source. The rules are the contract's "Values".
 *
 * <p>Immutable, thread-safe.
 */
public final class RowEncoder {
  // A row came through a database or a broker that has limits of its own; a second, lower limit
  // here
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
   * @throws MalformedRowException if {@code json} isn't exactly one JSON object
   */
  public JsonObject encode(byte[] json) throws MalformedRowException {
    try (JsonParser parser = JSON.createParser(json)) {
      if (parser.nextToken() != JsonToken.START_OBJECT) {
        throw new MalformedRowException(
            "row: " + describe(parser.currentToken()) + " (expected: a JSON object)");
      }
      JsonBytes out = new JsonBytes(json.length + 16);
      object(parser, types, out);
      if (parser.nextToken() != null) {
        throw new MalformedRowException("row: more after the object (expected: one JSON object)");
      }
      return JsonObject.of(out.toByteArray());
    } catch (JsonProcessingException e) {
      throw new MalformedRowException(
          "row: not JSON at byte "
              + e.getLocation().getByteOffset()
              + ": "
              + e.getOriginalMessage(),
          e);
    } catch (IOException e) {
      throw new UncheckedIOException(e); // the input is an array
    }
  }

  private static Map<String, ColumnType> typesByName(List<Column> columns) {
    Map<String, ColumnType> types = new HashMap<>();
    for (Column column : columns) {
      types.put(column.name(), column.type());
    }
    return Map.copyOf(types);
  }

  private static void object(JsonParser in, Map<String, ColumnType> types, JsonBytes out)
      throws IOException {
    out.raw('{');
    boolean first = true;
    while (in.nextToken() != JsonToken.END_OBJECT) {
      if (!first) {
        out.raw(',');
      }
      first = false;
      String name = in.currentName();
      out.string(name).raw(':');
      in.nextToken();
      value(in, types.get(name), out);
    }
    out.raw('}');
  }

  private static void value(JsonParser in, @Nullable ColumnType type, JsonBytes out)
      throws IOException {
    switch (in.currentToken()) {
      case VALUE_NULL -> out.ascii("null");
      case VALUE_TRUE -> out.ascii("true");
      case VALUE_FALSE -> out.ascii("false");
      case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> out.ascii(in.getText());
      case VALUE_STRING -> string(in.getText(), type, out);
      case START_ARRAY -> array(in, type instanceof ColumnType.Array a ? a.element() : null, out);
      case START_OBJECT ->
          object(
              in, type instanceof ColumnType.Composite c ? typesByName(c.fields()) : Map.of(), out);
      case FIELD_NAME, END_OBJECT, END_ARRAY, VALUE_EMBEDDED_OBJECT, NOT_AVAILABLE ->
          throw new IllegalStateException("token " + in.currentToken());
    }
  }

  private static void array(JsonParser in, @Nullable ColumnType element, JsonBytes out)
      throws IOException {
    // an array of arrays has the same element type at every depth
    out.raw('[');
    boolean first = true;
    while (in.nextToken() != JsonToken.END_ARRAY) {
      if (!first) {
        out.raw(',');
      }
      first = false;
      if (in.currentToken() == JsonToken.START_ARRAY) {
        array(in, element, out);
      } else {
        value(in, element, out);
      }
    }
    out.raw(']');
  }

  private static void string(String text, @Nullable ColumnType type, JsonBytes out) {
    if (type == ColumnType.Scalar.TIMESTAMP_TZ) {
      out.string(Timestamps.toUtc(text));
    } else if (type == ColumnType.Scalar.BYTES && text.startsWith("\\x")) {
      out.string(
          Base64.getEncoder().encodeToString(HexFormat.of().parseHex(text, 2, text.length())));
    } else {
      out.string(text);
    }
  }

  private static String describe(@Nullable JsonToken token) {
    return token == null ? "nothing" : token.toString();
  }
}
