package dev.rowcast.edge.jwt;

import dev.rowcast.config.JwtConfig.JwtKeys.Published;
import dev.rowcast.problem.ProblemException;
import dev.rowcast.problem.ProblemType;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The keys that an issuer publishes. They are fetched in the background once they are old, and at
 * once for a token whose key isn't among them, but never more often than {@link #GAP}: nobody can
 * have us storm the issuer by naming keys that there aren't. While the issuer is away the keys stay
 * as they were. Thread-safe; requests that wait for a fetch are few by {@link #MAX_WAITING}.
 */
final class PublishedKeys implements IssuerKeys {
  /** How far two fetches lie apart at least. */
  static final Duration GAP = Duration.ofSeconds(30);

  /** The same after a fetch that failed: then all of the issuer's tokens may wait for the next. */
  static final Duration GAP_AFTER_FAILURE = Duration.ofSeconds(5);

  private static final int MAX_WAITING = 16;
  private static final Logger LOG = LoggerFactory.getLogger(PublishedKeys.class);

  private final Published where;
  private final JwksClient client;
  private final JwtMetrics metrics;
  private final Clock clock;
  private final Semaphore waiting = new Semaphore(MAX_WAITING);

  /** Replaced as a whole when a fetch ends, read by any thread. */
  private volatile KeySet keys = KeySet.UNKNOWN;

  /** When the last fetch began; guarded by this. */
  private @Nullable Instant began;

  /** Whether the last fetch failed; guarded by this. */
  private boolean failed;

  /** The fetch that runs; null while none does; guarded by this. */
  private @Nullable CompletableFuture<Void> running;

  PublishedKeys(Published where, JwksClient client, JwtMetrics metrics, Clock clock) {
    this.where = where;
    this.client = client;
    this.metrics = metrics;
    this.clock = clock;
  }

  Published where() {
    return where;
  }

  @Override
  public KeySet current() {
    var unused = fetchOnceSince(where.refresh());
    return keys;
  }

  @Override
  public KeySet newerThan(KeySet known) {
    CompletableFuture<Void> fetch = fetchOnceSince(GAP);
    if (fetch == null || keys != known) {
      return keys;
    }
    if (!waiting.tryAcquire()) {
      throw new ProblemException(
          ProblemType.UNAVAILABLE, "Too many wait for the keys of the token's issuer; try again");
    }
    try {
      fetch.join(); // it has a deadline, and never fails
    } finally {
      waiting.release();
    }
    return keys;
  }

  /**
   * The fetch that runs, a new one where the last is that long ago.
   *
   * @return null where there is none
   */
  private synchronized @Nullable CompletableFuture<Void> fetchOnceSince(Duration age) {
    if (running != null) {
      return running;
    }
    Duration gap = failed ? GAP_AFTER_FAILURE : age;
    Instant now = clock.instant();
    // a clock that was set back must not keep us from fetching for however long
    if (began != null && !now.isBefore(began) && now.isBefore(began.plus(gap))) {
      return null;
    }
    began = now;
    CompletableFuture<Void> fetch =
        client.fetch(where.url()).thenApply(KeySet::parse).handle(this::fetched);
    running = fetch.isDone() ? null : fetch;
    return fetch;
  }

  private synchronized @Nullable Void fetched(@Nullable KeySet found, @Nullable Throwable failure) {
    running = null;
    if (found == null) {
      Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
      if (!failed) {
        LOG.warn(
            "{}: the keys of JWTs can't be fetched, {}: {}",
            where.url(),
            keys.isUnknown() ? "and there are none yet" : "those that are known stay",
            String.valueOf(cause));
      }
    } else if (!keys.sameAs(found)) {
      keys = found;
      LOG.info("{}: new keys for JWTs", where.url());
    }
    failed = found == null;
    metrics.fetched(!failed);
    return null;
  }
}
