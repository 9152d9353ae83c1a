package dev.rowcast.edge;

import dev.rowcast.keys.ApiKey;
import dev.rowcast.keys.ApiKeys;
import dev.rowcast.policy.Identity;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Keys in a map, by secret; the secret of the key {@code k1} is {@code secret-k1}. The time of a
 * last use is the number of uses.
 */
final class FakeKeys implements ApiKeys {
  final Map<String, ApiKey> bySecret = new ConcurrentSkipListMap<>();
  final Map<String, Integer> uses = new ConcurrentSkipListMap<>();
  private final AtomicInteger number = new AtomicInteger();

  @Override
  public Optional<ApiKey> authenticate(String secret) {
    return Optional.ofNullable(bySecret.get(secret));
  }

  @Override
  public Optional<ApiKey> find(String id) {
    return bySecret.values().stream().filter(key -> key.id().equals(id)).findFirst();
  }

  @Override
  public List<ApiKey> list() {
    return List.copyOf(bySecret.values());
  }

  @Override
  public Issued create(String name, Identity identity, @Nullable Instant expires) {
    String id = "k" + number.incrementAndGet();
    ApiKey key = new ApiKey(id, name, identity, Instant.parse("2026-01-01T00:00:00Z"), expires);
    bySecret.put("secret-" + id, key);
    return new Issued(key, "secret-" + id);
  }

  @Override
  public ApiKey ensure(String name, String secret, Identity identity) {
    return bySecret.computeIfAbsent(
        secret, s -> new ApiKey(name, name, identity, Instant.EPOCH, null));
  }

  /** The same key stands for somebody else from now on. */
  void change(String secret, Identity identity) {
    bySecret.computeIfPresent(
        secret,
        (s, key) -> new ApiKey(key.id(), key.name(), identity, key.created(), key.expires()));
  }

  @Override
  public void used(String id) {
    uses.merge(id, 1, Integer::sum);
  }

  @Override
  public Optional<Instant> lastUse(String id) {
    return Optional.ofNullable(uses.get(id)).map(Instant::ofEpochSecond);
  }

  @Override
  public boolean revoke(String id) {
    return bySecret.values().removeIf(key -> key.id().equals(id));
  }
}
