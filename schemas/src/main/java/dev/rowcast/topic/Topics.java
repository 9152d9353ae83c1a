package dev.rowcast.topic;

import dev.rowcast.event.EventCodec;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Rowcast's topics.
 *
 * @param prefix put before every name; may be empty
 * @param retention how long {@code events} and {@code dead-letters} are kept
 */
public record Topics(String prefix, Duration retention) {
  /** How long events are kept unless configured otherwise: contract §8. */
  public static final Duration DEFAULT_RETENTION = Duration.ofDays(7);

  // what a producer may send at most: the largest record and its batch's overhead
  private static final String MAX_MESSAGE_BYTES =
      Integer.toString(EventCodec.MAX_RECORD_BYTES + (1 << 16));

  public Topics(String prefix) {
    this(prefix, DEFAULT_RETENTION);
  }

  /** The outbox of the default feed: every row change, in order, one partition. */
  public Topic events() {
    return kept("events");
  }

  /** The latest row by table and row key. */
  public Topic rows() {
    return compacted("rows");
  }

  /** API keys by id: hashes of secrets, never secrets. */
  public Topic keys() {
    return compacted("keys");
  }

  /** What is captured and how it fares: see {@code dev.rowcast.source.CatalogCodec}. */
  public Topic catalog() {
    return compacted("catalog");
  }

  /** Records that could not be decoded, with the reason in their headers. */
  public Topic deadLetters() {
    return kept("dead-letters");
  }

  /** All of them, to be created. */
  public List<Topic> all() {
    return List.of(events(), rows(), keys(), catalog(), deadLetters());
  }

  private Topic kept(String name) {
    return topic(
        name,
        Map.of(
            "cleanup.policy",
            "delete",
            "retention.ms",
            Long.toString(retention.toMillis()),
            "retention.bytes",
            "-1",
            "segment.bytes",
            Integer.toString(256 << 20)));
  }

  private Topic compacted(String name) {
    return topic(
        name,
        Map.of(
            "cleanup.policy",
            "compact",
            // a reader that starts at the beginning must meet a tombstone before it is cleaned away
            "delete.retention.ms",
            Long.toString(Duration.ofDays(1).toMillis()),
            "segment.bytes",
            Integer.toString(64 << 20),
            "min.cleanable.dirty.ratio",
            "0.5"));
  }

  private Topic topic(String name, Map<String, String> settings) {
    Map<String, String> all = new HashMap<>(settings);
    all.put("max.message.bytes", MAX_MESSAGE_BYTES);
    all.put("message.timestamp.type", "CreateTime");
    all.put("compression.type", "producer");
    return new Topic(prefix + name, 1, all);
  }
}
