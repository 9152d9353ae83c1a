package dev.rowcast.connectors.postgres;

import dev.rowcast.event.JsonBytes;
import dev.rowcast.event.JsonObject;
import dev.rowcast.event.MalformedRowException;
import dev.rowcast.event.RowEncoder;
import dev.rowcast.source.Strategy;
import dev.rowcast.source.TableDescriptor;
import org.jspecify.annotations.Nullable;

/** A table with triggers: how its rows are read. Immutable. */
final class CapturedTable {
  private final int number;
  private final InspectedTable inspected;
  private final TableDescriptor descriptor;
  private final RowEncoder encoder;
  private final byte[][] columnNames;
  private final byte[][] keyNames;

  CapturedTable(int number, InspectedTable inspected, String source) {
    this.number = number;
    this.inspected = inspected;
    this.descriptor =
        new TableDescriptor(
            inspected.table(), source, Strategy.NATIVE, inspected.plainColumns(), inspected.key());
    this.encoder = new RowEncoder(descriptor.columns());
    this.columnNames =
        descriptor.columns().stream()
            .map(column -> JsonObject.rawName(column.name()))
            .toArray(byte[][]::new);
    this.keyNames = descriptor.key().stream().map(JsonObject::rawName).toArray(byte[][]::new);
  }

  /** Its number in the registry and in rows of the outbox. */
  int number() {
    return number;
  }

  InspectedTable inspected() {
    return inspected;
  }

  TableDescriptor descriptor() {
    return descriptor;
  }

  @Nullable JsonObject encode(byte @Nullable [] row) throws MalformedRowException {
    return row == null ? null : encoder.encode(row);
  }

  /** Whether the row has exactly the columns that we know the table to have. */
  boolean fits(@Nullable JsonObject row) {
    if (row == null) {
      return true;
    }
    if (row.size() != columnNames.length) {
      return false;
    }
    for (int i = 0; i < columnNames.length; i++) {
      if (!row.nameIs(i, columnNames[i])) {
        return false;
      }
    }
    return true;
  }

  /**
   * The key of a row.
   *
   * @throws MalformedRowException if the row has not all key columns
   */
  JsonObject key(JsonObject row) throws MalformedRowException {
    JsonBytes key = new JsonBytes(64).raw('{');
    for (byte[] name : keyNames) {
      int i = row.find(name);
      if (i < 0) {
        throw new MalformedRowException(
            descriptor.table()
                + ": a row without a key column (expected: "
                + descriptor.key()
                + ")");
      }
      if (key.size() > 1) {
        key.raw(',');
      }
      key.raw(row.bytes(), row.memberStart(i), row.valueEnd(i) - row.memberStart(i));
    }
    return JsonObject.of(key.raw('}').toByteArray());
  }
}
