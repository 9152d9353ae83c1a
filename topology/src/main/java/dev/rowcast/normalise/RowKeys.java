package dev.rowcast.normalise;

import dev.rowcast.event.Column;
import dev.rowcast.event.ColumnType;
import dev.rowcast.event.JsonBytes;
import dev.rowcast.event.JsonObject;
import dev.rowcast.event.MalformedRowException;
import dev.rowcast.event.RowEncoder;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The row keys of one table, as records name them: a JSON object with the key columns, or, where
 * there is one key column, just its value.
 *
 * <p>A bare value is read by the column's declared type: of a number or boolean it must be JSON; of
 * a text, date and the like it is a JSON string or the text itself; where no type is declared it is
 * JSON if it can be, else a text. Immutable, thread-safe.
 */
final class RowKeys {
  private final List<String> columns;
  private final List<byte[]> rawNames;
  private final RowEncoder encoder;
  private final Form bare;

  RowKeys(List<Column> declared, List<String> key) {
    this.columns = List.copyOf(key);
    this.rawNames = key.stream().map(JsonObject::rawName).toList();
    this.encoder = new RowEncoder(declared);
    this.bare = form(declared, key.get(0));
  }

  /** The key columns that a record's key names. */
  JsonObject read(byte[] key) throws MalformedRowException {
    if (startsObject(key)) {
      return select(encoder.encode(key), "key");
    }
    if (columns.size() > 1) {
      throw new MalformedRowException(
          "key: one value (expected: a JSON object with " + columns + ")");
    }
    return select(readBare(key), "key");
  }

  /** The key columns of a row. */
  JsonObject of(JsonObject row) throws MalformedRowException {
    return select(row, "row");
  }

  /** The row with all key columns: those it lacks come first. */
  JsonObject complete(JsonObject row, JsonObject key) throws MalformedRowException {
    JsonBytes missing = new JsonBytes(64).raw('{');
    for (int k = 0; k < columns.size(); k++) {
      int i = row.find(rawNames.get(k));
      if (i < 0) {
        member(missing, key, k);
      } else if (!row.sameValue(i, key, k)) {
        throw new MalformedRowException(
            columns.get(k)
                + ": "
                + key.valueText(k)
                + " in the key, "
                + row.valueText(i)
                + " in the row (expected: the same; a declared data_type may help)");
      }
    }
    if (missing.size() == 1) {
      return row;
    }
    for (int i = 0; i < row.size(); i++) {
      member(missing, row, i);
    }
    return JsonObject.of(missing.raw('}').toByteArray());
  }

  private JsonObject select(JsonObject object, String where) throws MalformedRowException {
    JsonBytes out = new JsonBytes(64).raw('{');
    for (int k = 0; k < columns.size(); k++) {
      int i = object.find(rawNames.get(k));
      if (i < 0 || object.valueIsNull(i)) {
        throw new MalformedRowException(
            where
                + ": key column "
                + columns.get(k)
                + (i < 0 ? " missing" : " is NULL")
                + " (expected: a value)");
      }
      if (isContainer(object, i)) {
        throw new MalformedRowException(
            where + ": key column " + columns.get(k) + " is no scalar (expected: one)");
      }
      member(out, object, i);
    }
    return JsonObject.of(out.raw('}').toByteArray());
  }

  private JsonObject readBare(byte[] key) throws MalformedRowException {
    JsonObject json = bare == Form.TEXT && key.length > 0 && key[0] != '"' ? null : tryJson(key);
    if (json != null) {
      return json;
    }
    if (bare == Form.JSON) {
      throw new MalformedRowException("key: " + columns.get(0) + " (expected: a JSON scalar)");
    }
    return encoder.encode(member(new JsonBytes(64).string(text(key)).toByteArray()));
  }

  /** The bare key as the value of its column; null where that isn't exactly one JSON value. */
  private @Nullable JsonObject tryJson(byte[] key) {
    try {
      JsonObject object = encoder.encode(member(key));
      return object.size() == 1 ? object : null;
    } catch (MalformedRowException e) {
      return null; // then it is a text
    }
  }

  private byte[] member(byte[] value) {
    return new JsonBytes(64)
        .raw('{')
        .string(columns.get(0))
        .raw(':')
        .raw(value)
        .raw('}')
        .toByteArray();
  }

  private static void member(JsonBytes out, JsonObject object, int i) {
    if (out.size() > 1) {
      out.raw(',');
    }
    int start = object.memberStart(i);
    out.raw(object.bytes(), start, object.valueEnd(i) - start);
  }

  private static String text(byte[] key) throws MalformedRowException {
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(key)).toString();
    } catch (CharacterCodingException e) {
      throw new MalformedRowException("key: neither JSON nor UTF-8 (expected: one of them)", e);
    }
  }

  private static boolean startsObject(byte[] json) {
    int i = 0;
    while (i < json.length && (json[i] == ' ' || json[i] == '\n' || json[i] == '\t')) {
      i++;
    }
    return i < json.length && json[i] == '{';
  }

  private static boolean isContainer(JsonObject object, int i) {
    byte first = object.bytes()[object.valueStart(i)];
    return first == '{' || first == '[';
  }

  private static Form form(List<Column> declared, String name) {
    for (Column column : declared) {
      if (column.name().equals(name) && column.type() instanceof ColumnType.Scalar scalar) {
        return switch (scalar) {
          case BOOLEAN, SMALLINT, INTEGER, BIGINT, DECIMAL, REAL, DOUBLE -> Form.JSON;
          case TEXT, BYTES, DATE, TIME, TIMESTAMP, TIMESTAMP_TZ, INTERVAL, UUID -> Form.TEXT;
          case JSON, OTHER -> Form.EITHER;
        };
      }
    }
    return Form.EITHER;
  }

  /** How a bare key is read. */
  private enum Form {
    JSON,
    TEXT,
    EITHER
  }
}
