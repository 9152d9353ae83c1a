package dev.rowcast.catalog;

import dev.rowcast.compacted.CompactedTopic;
import dev.rowcast.compacted.Content;
import dev.rowcast.config.KafkaConfig;
import dev.rowcast.event.TableId;
import dev.rowcast.source.CatalogCodec;
import dev.rowcast.source.SourceStatus;
import dev.rowcast.source.TableDescriptor;
import dev.rowcast.topic.Topics;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/**
 * The catalog that the compacted topic {@code catalog} holds, and the way to write to it. A record
 * that can't be read changes nothing. Thread-safe.
 */
public final class KafkaCatalog implements Catalog, AutoCloseable {
  private final CompactedTopic topic;
  private final List<Runnable> listeners = new CopyOnWriteArrayList<>();

  /** Replaced as a whole by the topic's follower, read by any thread. */
  private volatile Known known = new Known(Map.of(), List.of(), List.of());

  private KafkaCatalog(KafkaConfig kafka) {
    this.topic =
        CompactedTopic.follow(
            kafka, new Topics(kafka.topicPrefix()).catalog().name(), new ReadCatalog());
  }

  /** Starts reading the topic, which must be created before long; returns at once. */
  public static KafkaCatalog open(KafkaConfig kafka) {
    return new KafkaCatalog(kafka);
  }

  /** Waits until what was there at the start is known; answers whether it is. */
  public boolean awaitReady(Duration limit) throws InterruptedException {
    return topic.awaitReady(limit);
  }

  public boolean isReady() {
    return topic.isReady();
  }

  /** How many records could not be read. */
  public long brokenRecords() {
    return topic.brokenRecords();
  }

  /**
   * Has {@code listener} run whenever {@link #tables()} has changed; not for mere states of
   * sources. It runs on the thread that reads the topic and must not block.
   */
  public void onTablesChanged(Runnable listener) {
    listeners.add(listener);
  }

  @Override
  public List<TableDescriptor> tables() {
    return known.tableList();
  }

  @Override
  public Optional<TableDescriptor> table(TableId table) {
    return Optional.ofNullable(known.tables().get(table));
  }

  @Override
  public List<SourceStatus> sources() {
    return known.sources();
  }

  /**
   * Says that a table is captured; returns once this node has read it.
   *
   * @throws dev.rowcast.problem.ProblemException {@code UNAVAILABLE} where Kafka doesn't take it
   */
  public void put(TableDescriptor table) {
    topic.write(CatalogCodec.tableKey(table.table()), CatalogCodec.encode(table));
  }

  /** Says how a source fares; else as {@link #put(TableDescriptor)}. */
  public void put(SourceStatus status) {
    topic.write(CatalogCodec.sourceKey(status.source()), CatalogCodec.encode(status));
  }

  /** Says that a table is captured no more; else as {@link #put(TableDescriptor)}. */
  public void remove(TableId table) {
    topic.write(CatalogCodec.tableKey(table), null);
  }

  /** Says that a source is no more; else as {@link #put(TableDescriptor)}. */
  public void removeSource(String source) {
    topic.write(CatalogCodec.sourceKey(source), null);
  }

  @Override
  public void close() {
    topic.close();
  }

  private record Known(
      Map<TableId, TableDescriptor> tables,
      List<TableDescriptor> tableList,
      List<SourceStatus> sources) {}

  /** What was read; only the topic's follower touches it. */
  private final class ReadCatalog implements Content {
    private final TreeMap<TableId, TableDescriptor> tables = new TreeMap<>();
    private final TreeMap<String, SourceStatus> sources = new TreeMap<>();

    @Override
    public void apply(byte[] key, byte @Nullable [] value) {
      TableId table = CatalogCodec.tableOfKey(key);
      String source = table == null ? CatalogCodec.sourceOfKey(key) : null;
      if (table != null) {
        applyTable(table, value == null ? null : CatalogCodec.decodeTable(value));
      } else if (source != null) {
        applySource(source, value == null ? null : CatalogCodec.decodeSource(value));
      } else {
        throw new IllegalArgumentException("key (expected: of a table or a source)");
      }
    }

    private void applyTable(TableId id, @Nullable TableDescriptor table) {
      if (table == null) {
        tables.remove(id);
      } else if (table.table().equals(id)) {
        tables.put(id, table);
      } else {
        throw new IllegalArgumentException(id + ": the value is of " + table.table());
      }
    }

    private void applySource(String id, @Nullable SourceStatus status) {
      if (status == null) {
        sources.remove(id);
      } else if (status.source().equals(id)) {
        sources.put(id, status);
      } else {
        throw new IllegalArgumentException(id + ": the value is of " + status.source());
      }
    }

    @Override
    public void publish() {
      Map<TableId, TableDescriptor> before = known.tables();
      known =
          new Known(
              Map.copyOf(tables), List.copyOf(tables.values()), List.copyOf(sources.values()));
      if (!before.equals(tables)) {
        listeners.forEach(Runnable::run);
      }
    }

    @Override
    public void clear() {
      tables.clear();
      sources.clear();
    }
  }
}
