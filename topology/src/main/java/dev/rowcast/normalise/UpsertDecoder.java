package dev.rowcast.normalise;

import dev.rowcast.event.Column;
import dev.rowcast.event.JsonObject;
import dev.rowcast.event.MalformedRowException;
import dev.rowcast.event.RowEncoder;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Upserts and tombstones: a record's value is the row as a JSON object, none is a delete.
 *
 * <p>The record's key says which row it is, as it does for Kafka when it compacts. Key columns that
 * the value has too must be the same there; those it lacks are put before the others. Without a
 * record key they come from the value.
 */
final class UpsertDecoder implements Decoder {
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
    JsonObject row = encoder.encode(value);
    return named == null
        ? new Candidate.Upsert(keys.of(row), row)
        : new Candidate.Upsert(named, keys.complete(row, named));
  }
}
