package dev.rowcast.keys;

import dev.rowcast.compacted.CompactedTopic;
import dev.rowcast.compacted.Content;
import dev.rowcast.config.KafkaConfig;
import dev.rowcast.policy.Identity;
import dev.rowcast.topic.Topics;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The keys that the compacted topic {@code keys} holds. Until {@link #awaitReady} has answered
 * true, keys that are valid may be unknown. A record that can't be read grants nothing, also not
 * what its predecessor granted. Thread-safe.
 */
public final class KafkaApiKeys implements ApiKeys, AutoCloseable {
  private static final long WRITE_EVERY_SECONDS = 60;

  private final Clock clock;
  private final CompactedTopic topic;
  private final LastUses uses;
  private final ScheduledThreadPoolExecutor writer;
  private final List<Runnable> listeners = new CopyOnWriteArrayList<>();

  /** Replaced as a whole by the topic's follower, read by any thread. */
  private volatile Known known = new Known(Map.of(), Map.of());

  private KafkaApiKeys(KafkaConfig kafka, Clock clock) {
    this.clock = clock;
    this.uses = new LastUses(clock);
    this.writer = new ScheduledThreadPoolExecutor(1, KafkaApiKeys::named);
    this.topic =
        CompactedTopic.follow(kafka, new Topics(kafka.topicPrefix()).keys().name(), new ReadKeys());
  }

  /**
   * Starts reading the topic, which must be created before long; returns at once.
   *
   * @param clock what expiry is judged by
   */
  public static KafkaApiKeys open(KafkaConfig kafka, Clock clock) {
    KafkaApiKeys keys = new KafkaApiKeys(kafka, clock);
    var unused =
        keys.writer.scheduleWithFixedDelay(
            keys::writeUses, WRITE_EVERY_SECONDS, WRITE_EVERY_SECONDS, TimeUnit.SECONDS);
    return keys;
  }

  private static Thread named(Runnable task) {
    Thread thread = new Thread(task, "rowcast-key-uses");
    thread.setDaemon(true);
    return thread;
  }

  /** Writes which keys were used, as far as that is due; done by itself every minute. */
  void writeUses() {
    uses.write(topic, known.byId()::containsKey);
  }

  /** Waits until the keys that were there at the start are known; answers whether they are. */
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
   * Has {@code listener} run after every change of keys, so that what depends on a key can end
   * early. It runs on the thread that reads the topic and must not block.
   */
  public void onChange(Runnable listener) {
    listeners.add(listener);
  }

  @Override
  public Optional<ApiKey> authenticate(String secret) {
    if (!Secrets.isPlausible(secret)) {
      return Optional.empty();
    }
    return valid(known.byHash().get(Secrets.sha256(secret)));
  }

  @Override
  public Optional<ApiKey> find(String id) {
    return valid(known.byId().get(id));
  }

  @Override
  public List<ApiKey> list() {
    return known.byId().values().stream()
        .map(StoredKey::key)
        .sorted(Comparator.comparing(ApiKey::created).thenComparing(ApiKey::id))
        .toList();
  }

  @Override
  public Issued create(String name, Identity identity, @Nullable Instant expires) {
    String secret = Secrets.random();
    return new Issued(write(Secrets.randomId(), name, secret, identity, expires), secret);
  }

  /**
   * {@inheritDoc}
   *
   * <p>Only sure once ready: before, a valid key may be taken for a missing one. Nodes that do it
   * at the same time write the same record.
   *
   * @throws IllegalArgumentException if the secret is empty or longer than 1024 characters
   */
  @Override
  public ApiKey ensure(String name, String secret, Identity identity) {
    if (!Secrets.isPlausible(secret)) {
      throw new IllegalArgumentException(
          "secret: " + secret.length() + " characters (expected: 1..1024)");
    }
    return authenticate(secret)
        .orElseGet(() -> write(Secrets.idOf(secret), name, secret, identity, null));
  }

  @Override
  public boolean revoke(String id) {
    if (!known.byId().containsKey(id)) {
      return false;
    }
    topic.write(id.getBytes(StandardCharsets.UTF_8), null);
    if (uses.of(id).isPresent()) {
      topic.write(LastUses.recordKey(id), null);
    }
    return true;
  }

  @Override
  public void used(String id) {
    uses.used(id);
  }

  @Override
  public Optional<Instant> lastUse(String id) {
    return uses.of(id);
  }

  @Override
  public void close() {
    writer.shutdownNow();
    topic.close();
  }

  private Optional<ApiKey> valid(@Nullable StoredKey stored) {
    return Optional.ofNullable(stored)
        .map(StoredKey::key)
        .filter(key -> !key.expiredAt(clock.instant()));
  }

  private ApiKey write(
      String id, String name, String secret, Identity identity, @Nullable Instant expires) {
    Instant now = clock.instant().truncatedTo(ChronoUnit.MILLIS);
    ApiKey key = new ApiKey(id, name, identity, now, expires);
    byte[] record = ApiKeyCodec.encode(new StoredKey(key, Secrets.sha256(secret)));
    topic.write(id.getBytes(StandardCharsets.UTF_8), record);
    return key;
  }

  /** Two ways to one set of keys; immutable. */
  private record Known(Map<String, StoredKey> byId, Map<String, StoredKey> byHash) {
    static Known of(Map<String, StoredKey> keys) {
      Map<String, StoredKey> byHash = new HashMap<>();
      // one secret may stand under an expired id and a renewed one: the longer life counts
      keys.values().forEach(key -> byHash.merge(key.hash(), key, Known::longerLived));
      return new Known(Map.copyOf(keys), byHash);
    }

    private static StoredKey longerLived(StoredKey a, StoredKey b) {
      Instant endOfA = a.key().expires();
      Instant endOfB = b.key().expires();
      return endOfA == null || (endOfB != null && endOfA.isAfter(endOfB)) ? a : b;
    }
  }

  /** What was read; only the topic's follower touches it. */
  private final class ReadKeys implements Content {
    private final Map<String, StoredKey> keys = new HashMap<>();
    private boolean changed;

    @Override
    public void apply(byte[] key, byte @Nullable [] value) {
      String id = new String(key, StandardCharsets.UTF_8);
      if (LastUses.owns(id)) {
        uses.apply(id, value);
        return;
      }
      changed = true;
      keys.remove(id); // before the value is read: a broken one must not leave the former valid
      if (value != null) {
        keys.put(id, ApiKeyCodec.decode(id, value));
      }
    }

    @Override
    public void publish() {
      if (!changed) {
        return; // uses alone change nobody's rights
      }
      changed = false;
      known = Known.of(keys);
      listeners.forEach(Runnable::run);
    }

    @Override
    public void clear() {
      changed = true;
      uses.clear();
      keys.clear();
    }
  }
}
