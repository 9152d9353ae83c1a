package dev.rowcast.normalise;

import dev.rowcast.event.Column;
import dev.rowcast.event.JsonObject;
import dev.rowcast.event.MalformedRowException;
import dev.rowcast.event.RowEncoder;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Upserts and tombstones: a record's value is the row as a JSON object, none is a delete.
 *
 * <p>The record's key says which row it is, as it does for Kafka when it compacts. Key columns that
 * the value has too must be the same there; those it lacks are put before the others. Without a
 * record key they come from the value.
 */
final class UpsertDecoder implements Decoder {
  // The encoder goes down one call per level. What nests deeper than Jackson's own default is no
  // row.
  private static final int DEEPEST = 1_000;

  private final RowEncoder encoder;
  private final RowKeys keys;

  UpsertDecoder(List<Column> columns, List<String> key) {
    this.encoder = new RowEncoder(columns);
    this.keys = new RowKeys(columns, key);
  }

  @Override
  public Candidate decode(byte @Nullable [] key, byte @Nullable [] value)
      throws MalformedRowException {
    JsonObject named = key == null ? null : keys.read(key);
    if (value == null) {
      if (named == null) {
        throw new MalformedRowException("tombstone without a key (expected: the row's key)");
      }
      return new Candidate.Delete(named);
    }
    requireDepth(value);
    JsonObject row = encoder.encode(value);
    requireDistinctColumns(row);
    return named == null
        ? new Candidate.Upsert(keys.of(row), row)
        : new Candidate.Upsert(named, keys.complete(row, named));
  }

  /** A column that stands twice would be one thing to a policy and another to a reader. */
  private static void requireDistinctColumns(JsonObject row) throws MalformedRowException {
    Set<String> names = new HashSet<>();
    for (int i = 0; i < row.size(); i++) {
      if (!names.add(row.name(i))) {
        throw new MalformedRowException("row: " + row.name(i) + " twice (expected: each once)");
      }
    }
  }

  static void requireDepth(byte[] json) throws MalformedRowException {
    int depth = 0;
    boolean inString = false;
    for (int i = 0; i < json.length; i++) {
      switch (json[i]) {
        case '"' -> inString = !inString;
        case '\\' -> i += inString ? 1 : 0;
        case '{', '[' -> depth += inString ? 0 : 1;
        case '}', ']' -> depth -= inString ? 0 : 1;
        default -> {}
      }
      if (depth > DEEPEST) {
        throw new MalformedRowException("row: nested deeper than " + DEEPEST + " levels");
      }
    }
  }
}
