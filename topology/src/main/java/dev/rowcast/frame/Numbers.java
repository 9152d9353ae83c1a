package dev.rowcast.frame;

import dev.rowcast.event.Column;
import dev.rowcast.event.ColumnType;
import dev.rowcast.event.JsonBytes;
import dev.rowcast.event.JsonObject;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Tells the numbers of a column as strings, so that JavaScript keeps every digit. Immutable. */
sealed interface Numbers {

  /** Writes the JSON value in {@code bytes[from, to)}. */
  void write(byte[] bytes, int from, int to, JsonBytes out);

  /** What a type needs; null where its values stay as they are. */
  static @Nullable Numbers of(ColumnType type) {
    if (type instanceof ColumnType.Array array) {
      Numbers element = of(array.element());
      return element == null ? null : new Elements(element);
    }
    if (type instanceof ColumnType.Composite composite) {
      Map<String, Numbers> fields = new HashMap<>();
      for (Column field : composite.fields()) {
        Numbers numbers = of(field.type());
        if (numbers != null) {
          fields.put(field.name(), numbers);
        }
      }
      return fields.isEmpty() ? null : new Fields(fields);
    }
    return switch ((ColumnType.Scalar) type) {
      case BIGINT, DECIMAL, OTHER -> new Quoted();
      case BOOLEAN,
          SMALLINT,
          INTEGER,
          REAL,
          DOUBLE,
          TEXT,
          BYTES,
          DATE,
          TIME,
          TIMESTAMP,
          TIMESTAMP_TZ,
          INTERVAL,
          JSON,
          UUID ->
          null;
    };
  }

  private static boolean isNumber(byte first) {
    return first == '-' || (first >= '0' && first <= '9');
  }

  private static boolean inNumber(byte b) {
    return isNumber(b) || b == '.' || b == 'e' || b == 'E' || b == '+';
  }

  /** A single number. */
  record Quoted() implements Numbers {
    @Override
    public void write(byte[] bytes, int from, int to, JsonBytes out) {
      if (isNumber(bytes[from])) {
        out.raw('"').raw(bytes, from, to - from).raw('"');
      } else {
        out.raw(bytes, from, to - from);
      }
    }
  }

  /** An array of any depth. */
  record Elements(Numbers element) implements Numbers {
    @Override
    public void write(byte[] bytes, int from, int to, JsonBytes out) {
      if (bytes[from] != '[') {
        element.write(bytes, from, to, out);
        return;
      }
      int at = from + 1;
      out.raw('[');
      while (bytes[at] != ']') {
        if (bytes[at] == ',') {
          out.raw(',');
          at++;
        }
        int end = endOfElement(bytes, at, to);
        write(bytes, at, end, out);
        at = end;
      }
      out.raw(']');
    }

    private static int endOfElement(byte[] bytes, int at, int limit) {
      byte first = bytes[at];
      if (isNumber(first)) {
        int end = at;
        while (end < limit && inNumber(bytes[end])) {
          end++;
        }
        return end;
      }
      int depth = 0;
      boolean quoted = false;
      for (int i = at; i < limit; i++) {
        byte b = bytes[i];
        if (quoted) {
          if (b == '\\') {
            i++;
          } else if (b == '"') {
            quoted = false;
          }
        } else if (b == '"') {
          quoted = true;
        } else if (b == '[' || b == '{') {
          depth++;
        } else if (depth == 0 && (b == ',' || b == ']')) {
          return i;
        } else if (b == ']' || b == '}') {
          depth--;
        }
      }
      return limit;
    }
  }

  /** A row type. */
  record Fields(Map<String, Numbers> fields) implements Numbers {
    @Override
    public void write(byte[] bytes, int from, int to, JsonBytes out) {
      if (bytes[from] != '{') {
        out.raw(bytes, from, to - from);
        return;
      }
      JsonObject object = JsonObject.of(bytes, from, to);
      out.raw('{');
      for (int i = 0; i < object.size(); i++) {
        if (i > 0) {
          out.raw(',');
        }
        int start = object.memberStart(i);
        int value = object.valueStart(i);
        out.raw(bytes, start, value - start);
        Numbers numbers = fields.get(object.name(i));
        if (numbers == null) {
          out.raw(bytes, value, object.valueEnd(i) - value);
        } else {
          numbers.write(bytes, value, object.valueEnd(i), out);
        }
      }
      out.raw('}');
    }
  }
}
