package dev.rowcast.normalise;

import dev.rowcast.event.EventCodec;
import dev.rowcast.event.TableId;
import dev.rowcast.topic.Topics;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import java.util.regex.Pattern;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.Deserializer;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.serialization.Serializer;
import org.apache.kafka.streams.AutoOffsetReset;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.state.KeyValueBytesStoreSupplier;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.StoreBuilder;
import org.apache.kafka.streams.state.Stores;

/**
 * The topology: for each table the same five nodes and one store, joined to no other table's, so
 * that topics may differ in their partitions and come and go one by one.
 *
 * <pre>
 *   source-T ──▶ normalise-T ──▶ events-T        ──▶ events
 *                (row-state-T)  ├─▶ rows-T         ──▶ rows
 *                               └─▶ dead-letters-T ──▶ dead-letters
 * </pre>
 *
 * <p>T is the name of the table's topic. Order is kept per row key, as the topic has it.
 */
public final class NormaliseTopology {
  private static final Deserializer<byte[]> FROM_BYTES = new ByteArrayDeserializer();
  private static final Serializer<byte[]> TO_BYTES = new ByteArraySerializer();

  // a row state is a row that fits in a record, and its position
  private static final String MAX_STATE_BYTES =
      Integer.toString(EventCodec.MAX_RECORD_BYTES + (1 << 16));
  private static final Map<String, String> CHANGELOG =
      Map.of(
          "cleanup.policy", "compact",
          "max.message.bytes", MAX_STATE_BYTES,
          "segment.bytes", Integer.toString(64 << 20),
          "min.cleanable.dirty.ratio", "0.3",
          "compression.type", "producer");

  private NormaliseTopology() {}

  /**
   * Builds the topology.
   *
   * @param tables each with a topic of its own
   * @param topics where to
   * @param store where rows are kept, in memory or on disk
   * @param counts where each table's counts are
   * @param incarnations a number for the topic that has a name now, another one than for any that
   *     had it before; asked by each task when it starts
   * @param pollEnds where transactions end
   */
  static Topology of(
      List<SourceTable> tables,
      Topics topics,
      RowStore store,
      Function<TableId, TableCounts> counts,
      ToLongFunction<String> incarnations,
      PollEnds pollEnds) {
    SourceTables.requireOwnTopics(tables);
    Topology topology = new Topology();
    for (SourceTable table : tables) {
      Names names = new Names(table.topic());
      TableCounts tableCounts = counts.apply(table.table());
      topology
          .addSource(
              AutoOffsetReset.earliest(),
              names.source(),
              (record, partitionTime) -> Math.max(0, record.timestamp()),
              FROM_BYTES,
              FROM_BYTES,
              only(table.topic()))
          .addProcessor(
              names.processor(),
              () ->
                  new RowChangeProcessor(
                      table,
                      names,
                      EventCodec.MAX_RECORD_BYTES,
                      tableCounts,
                      incarnations,
                      pollEnds),
              names.source())
          .addStateStore(rowState(store, names), names.processor())
          .addSink(names.events(), topics.events().name(), TO_BYTES, TO_BYTES, names.processor())
          .addSink(names.rows(), topics.rows().name(), TO_BYTES, TO_BYTES, names.processor())
          .addSink(
              names.deadLetters(),
              topics.deadLetters().name(),
              TO_BYTES,
              TO_BYTES,
              names.processor());
    }
    return topology;
  }

  /** By pattern, since a topic that is missing by name keeps all others from being read. */
  private static Pattern only(String topic) {
    return Pattern.compile(Pattern.quote(topic));
  }

  private static StoreBuilder<KeyValueStore<byte[], byte[]>> rowState(RowStore store, Names names) {
    KeyValueBytesStoreSupplier supplier =
        switch (store) {
          case DISK -> Stores.persistentKeyValueStore(names.rowState());
          case MEMORY -> Stores.inMemoryKeyValueStore(names.rowState());
        };
    return Stores.keyValueStoreBuilder(supplier, Serdes.ByteArray(), Serdes.ByteArray())
        .withCachingDisabled()
        .withLoggingEnabled(CHANGELOG);
  }

  /** Where the latest rows are kept beside their changelog. */
  public enum RowStore {
    /** As many rows as the disk holds; after a crash they are read again from the changelog. */
    DISK,
    /** As many rows as the heap holds; they are read again from the changelog at every start. */
    MEMORY
  }

  /** The names of one table's nodes and store. */
  record Names(String topic) {
    String source() {
      return "source-" + topic;
    }

    String processor() {
      return "normalise-" + topic;
    }

    String rowState() {
      return "row-state-" + topic;
    }

    String events() {
      return "events-" + topic;
    }

    String rows() {
      return "rows-" + topic;
    }

    String deadLetters() {
      return "dead-letters-" + topic;
    }
  }
}
