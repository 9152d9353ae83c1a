package dev.rowcast.normalise;

import dev.rowcast.event.EncodedChange;
import dev.rowcast.event.EventCodec;
import dev.rowcast.event.JsonObject;
import dev.rowcast.event.MalformedRowException;
import dev.rowcast.event.Op;
import dev.rowcast.event.RowChange;
import dev.rowcast.normalise.NormaliseTopology.Names;
import dev.rowcast.normalise.RowState.Position;
import java.time.Instant;
import java.util.function.ToLongFunction;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.processor.api.RecordMetadata;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;

/**
 * Holds what a record says against what is known of its row, and tells what changed. Everything it
 * writes, the store included, is one transaction of the task with the record's offset.
 *
 * <p>A record not newer than the last one applied to the same row is a repeat and passed over; so
 * is the delete of a row that isn't known. One instance per task, used by its thread only.
 */
final class RowChangeProcessor implements Processor<byte[], byte[], byte[], byte[]> {
  private final SourceTable table;
  private final Names names;
  private final Decoder decoder;
  private final int maxRecordBytes;
  private final TableCounts counts;
  private final ToLongFunction<String> incarnations;
  private final PollEnds pollEnds;

  // set by init, before anything else is called
  private ProcessorContext<byte[], byte[]> context;
  private KeyValueStore<byte[], byte[]> rowState;
  private long incarnation;
  private TopicPartition partition;

  RowChangeProcessor(
      SourceTable table,
      Names names,
      int maxRecordBytes,
      TableCounts counts,
      ToLongFunction<String> incarnations,
      PollEnds pollEnds) {
    this.table = table;
    this.names = names;
    this.decoder = Decoder.of(table);
    this.maxRecordBytes = maxRecordBytes;
    this.counts = counts;
    this.incarnations = incarnations;
    this.pollEnds = pollEnds;
  }

  @Override
  public void init(ProcessorContext<byte[], byte[]> context) {
    this.context = context;
    this.rowState = context.getStateStore(names.rowState());
    this.incarnation = incarnations.applyAsLong(table.topic());
    this.partition = new TopicPartition(table.topic(), context.taskId().partition());
  }

  @Override
  public void process(Record<byte[], byte[]> record) {
    try {
      apply(decode(record), record.timestamp());
    } catch (MalformedRowException e) {
      String reason = String.valueOf(e.getMessage());
      context.forward(
          DeadLetter.of(record, where(), table, reason, context.currentSystemTimeMs()),
          names.deadLetters());
      counts.deadLetter();
    }
    if (pollEnds.isLast(partition, where().offset())) {
      context.commit();
    }
  }

  private Candidate decode(Record<byte[], byte[]> record) throws MalformedRowException {
    try {
      return decoder.decode(record.key(), record.value());
    } catch (RuntimeException e) {
      // it depends on nothing but these bytes: tried again, it would fail again, for ever
      throw new MalformedRowException("not readable: " + e.getMessage(), e);
    }
  }

  private void apply(Candidate candidate, long occurredMillis) throws MalformedRowException {
    byte[] key = candidate.key().toByteArray();
    byte[] stored = rowState.get(key);
    RowState known = stored == null ? null : RowState.decode(stored);
    Position position = new Position(incarnation, where().offset());
    if (known != null && known.position().includes(position)) {
      counts.repeat();
      return;
    }
    RowChange change =
        change(candidate, known == null ? null : known.row(), Instant.ofEpochMilli(occurredMillis));
    if (change == null) {
      counts.unknownDelete();
      return;
    }
    EncodedChange encoded = encode(change);
    rowState.put(key, RowState.encode(position, encoded.row()));
    forward(encoded);
    counts.event(occurredMillis);
  }

  /** Null where nothing changed: a row is deleted that isn't known. */
  private @Nullable RowChange change(
      Candidate candidate, @Nullable JsonObject before, Instant occurred) {
    if (candidate instanceof Candidate.Upsert upsert) {
      Op op = before == null ? Op.INSERT : Op.UPDATE;
      return new RowChange(table.table(), op, occurred, upsert.key(), upsert.row(), before, null);
    }
    return before == null
        ? null
        : new RowChange(table.table(), Op.DELETE, occurred, candidate.key(), null, before, null);
  }

  private EncodedChange encode(RowChange change) throws MalformedRowException {
    try {
      return EventCodec.encode(change, maxRecordBytes);
    } catch (IllegalArgumentException e) {
      throw new MalformedRowException("too large even without its columns: " + e.getMessage(), e);
    }
  }

  /**
   * Kafka's timestamp is when it is written, not when the change was made: the topics' retention
   * goes by it, and a topic of old rows would be gone as soon as it was told.
   */
  private void forward(EncodedChange change) {
    long now = context.currentSystemTimeMs();
    Headers headers = new RecordHeaders();
    if (change.before() != null) {
      headers.add(EventCodec.BEFORE_HEADER, change.before());
    }
    context.forward(new Record<>(change.key(), change.event(), now, headers), names.events());
    context.forward(new Record<>(change.key(), change.row(), now), names.rows());
  }

  private RecordMetadata where() {
    return context
        .recordMetadata()
        .orElseThrow(() -> new IllegalStateException("not called for a record"));
  }
}
