package dev.rowcast.frame;

/**
 * One event as an SSE frame.
 *
 * @param id the event's
 * @param bytes the whole frame: shared, not to be written to
 * @param jsonStart where its one line of data starts
 */
@SuppressWarnings("ArrayRecordComponent") // shared bytes, never compared
public record Frame(long id, byte[] bytes, int jsonStart) {
  int jsonLength() {
    return bytes.length - 2 - jsonStart; // before the line end and the empty line
  }
}
