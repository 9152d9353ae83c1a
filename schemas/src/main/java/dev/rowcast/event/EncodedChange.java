package dev.rowcast.event;

import org.jspecify.annotations.Nullable;

/**
 * One row change as Kafka records: the same key in {@code events} and in {@code rows}. The arrays
 * are handed over, not copied; nobody writes to them.
 *
 * @param key table and row key
 * @param event the value in {@code events}
 * @param before the value of the {@link EventCodec#BEFORE_HEADER} header there; null for none
 * @param row the value in {@code rows}; null is a tombstone
 */
@SuppressWarnings("ArrayRecordComponent") // a carrier between encoder and producer, never compared
public record EncodedChange(
    byte[] key, byte[] event, byte @Nullable [] before, byte @Nullable [] row) {}
