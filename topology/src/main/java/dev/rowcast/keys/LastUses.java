package dev.rowcast.keys;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.rowcast.compacted.CompactedTopic;
import dev.rowcast.problem.ProblemException;
import java.time.Clock;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * When keys were used last, to within {@link #GRAIN}. A use is two look-ups in memory; what is due
 * is written now and then by {@link #write}, so a key costs a node one record in that time at most.
 *
 * <p>They are records of their own in the topic {@code keys}, named {@code used/} and the key's id,
 * with an ISO-8601 instant as value. Were they part of the key's record, a node that writes a use
 * while another revokes would bring the key back. Thread-safe.
 */
final class LastUses {
  /** How far two writes of one key lie apart at least. */
  static final Duration GRAIN = Duration.ofMinutes(5);

  private static final String PREFIX = "used/";
  private static final Logger LOG = LoggerFactory.getLogger(LastUses.class);

  private final Clock clock;

  /** What the topic has; written by its follower. */
  private final Map<String, Instant> known = new ConcurrentHashMap<>();

  /** What this node saw and hasn't written; any thread. */
  private final Map<String, Instant> unwritten = new ConcurrentHashMap<>();

  LastUses(Clock clock) {
    this.clock = clock;
  }

  /** Whether a record of the topic is one of ours. */
  static boolean owns(String recordKey) {
    return recordKey.startsWith(PREFIX);
  }

  static byte[] recordKey(String id) {
    return (PREFIX + id).getBytes(UTF_8);
  }

  void used(String id) {
    Instant now = clock.instant();
    Instant last = known.get(id);
    if (last == null || !now.isBefore(last.plus(GRAIN))) {
      unwritten.put(id, now.truncatedTo(ChronoUnit.SECONDS));
    }
  }

  Optional<Instant> of(String id) {
    Instant here = unwritten.get(id);
    return Optional.ofNullable(here != null ? here : known.get(id));
  }

  /**
   * Writes what is due; blocks for it. What can't be written stays due.
   *
   * @param exists whether there is still a key with an id
   */
  void write(CompactedTopic topic, Predicate<String> exists) {
    for (Map.Entry<String, Instant> use : Map.copyOf(unwritten).entrySet()) {
      String id = use.getKey();
      try {
        if (exists.test(id)) {
          topic.write(recordKey(id), use.getValue().toString().getBytes(US_ASCII));
        }
        unwritten.remove(id, use.getValue());
      } catch (ProblemException e) {
        LOG.debug("the last use of keys isn't written: {}", e.getMessage());
        return; // Kafka is away: the others would wait as long
      }
    }
  }

  /**
   * Takes a record of the topic.
   *
   * @throws IllegalArgumentException if its value isn't an instant
   */
  void apply(String recordKey, byte @Nullable [] value) {
    String id = recordKey.substring(PREFIX.length());
    if (value == null) {
      known.remove(id);
      return;
    }
    try {
      known.put(id, Instant.parse(new String(value, US_ASCII)));
    } catch (DateTimeException e) {
      throw new IllegalArgumentException("used (expected: an ISO-8601 instant)", e);
    }
  }

  void clear() {
    known.clear();
  }
}
