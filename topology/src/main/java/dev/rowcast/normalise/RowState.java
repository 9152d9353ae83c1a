package dev.rowcast.normalise;

import dev.rowcast.event.JsonObject;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * What is known of a row: a value of the store {@code row-state}. It stays when the row is gone, so
 * that a topic that is read again doesn't bring it back.
 *
 * @param position of the record that was applied last
 * @param row the row; null once it is gone
 */
record RowState(Position position, @Nullable JsonObject row) {
  private static final int HEAD = 2 * Long.BYTES;

  /**
   * Where a record stands in the partition that a store belongs to.
   *
   * @param incarnation which topic it was, among those that ever had the name
   * @param offset in the partition
   */
  record Position(long incarnation, long offset) {
    /** Whether a record at {@code other} was applied already when this one was. */
    boolean includes(Position other) {
      return incarnation == other.incarnation && other.offset <= offset;
    }
  }

  static RowState decode(byte[] bytes) {
    ByteBuffer head = ByteBuffer.wrap(bytes);
    Position position = new Position(head.getLong(), head.getLong());
    return new RowState(
        position, bytes.length == HEAD ? null : JsonObject.of(bytes, HEAD, bytes.length));
  }

  static byte[] encode(Position position, byte @Nullable [] row) {
    ByteBuffer bytes = ByteBuffer.allocate(HEAD + (row == null ? 0 : row.length));
    bytes.putLong(position.incarnation()).putLong(position.offset());
    if (row != null) {
      bytes.put(row);
    }
    return bytes.array();
  }
}
