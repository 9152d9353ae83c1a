package dev.rowcast.standalone;

import dev.rowcast.config.ConfigurationLoader;
import dev.rowcast.config.InvalidConfigurationException;
import dev.rowcast.config.LoadedConfiguration;
import dev.rowcast.problem.ProblemException;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Applies a changed configuration file to a running node: all of it or, where it has a fault,
 * nothing. The file is compared by its content, again and again, since a file that is mounted into
 * a container changes without an event; one that changed is read once it stays the same for a
 * while. One thread of its own does all of it; {@link #request} may be called by any.
 */
final class Reloader implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Reloader.class);

  private final Path file;
  private final ConfigurationLoader loader;
  private final RowcastNode node;
  private final Counter applied;
  private final Counter refused;
  private final ScheduledThreadPoolExecutor thread =
      new ScheduledThreadPoolExecutor(1, Reloader::named);

  /** Whether the file, as it was last read, holds; only for the gauge. */
  private volatile boolean holds = true;

  // ---- of the one thread
  private byte @Nullable [] read;
  private byte @Nullable [] seen;

  private Reloader(
      Path file,
      byte @Nullable [] read,
      ConfigurationLoader loader,
      RowcastNode node,
      MeterRegistry registry) {
    this.file = file;
    this.read = read;
    this.seen = read;
    this.loader = loader;
    this.node = node;
    this.applied = counter(registry, "applied");
    this.refused = counter(registry, "refused");
    Gauge.builder("rowcast.config.valid", this, self -> self.holds ? 1 : 0)
        .description("Whether the configuration file, as it was last read, is the one that holds")
        .register(registry);
  }

  private static Counter counter(MeterRegistry registry, String outcome) {
    return Counter.builder("rowcast.config.reloads")
        .description("Configuration files that were read while the node ran")
        .tag("outcome", outcome)
        .register(registry);
  }

  private static Thread named(Runnable task) {
    Thread thread = new Thread(task, "rowcast-reload");
    thread.setDaemon(true);
    return thread;
  }

  /** The file's content as it is; null where it can't be read. */
  static byte @Nullable [] content(Path file) {
    try {
      return Files.readAllBytes(file);
    } catch (IOException e) {
      return null;
    }
  }

  /**
   * Watches a file.
   *
   * @param read the content that the node was started with, so that no change since is missed
   * @param every how often to look, and how long a changed file must have stayed the same
   */
  static Reloader watch(
      Path file,
      byte @Nullable [] read,
      ConfigurationLoader loader,
      RowcastNode node,
      Duration every) {
    Reloader reloader = new Reloader(file, read, loader, node, node.registry());
    var unused =
        reloader.thread.scheduleWithFixedDelay(
            reloader::look, every.toMillis(), every.toMillis(), TimeUnit.MILLISECONDS);
    return reloader;
  }

  /** Reads the file now, changed or not. Doesn't block. */
  void request() {
    try {
      thread.execute(this::reload);
    } catch (RejectedExecutionException e) {
      LOG.debug("closing: the configuration isn't read again");
    }
  }

  private void look() {
    byte[] now = content(file);
    boolean settled = Arrays.equals(now, seen);
    seen = now;
    // a file that is gone is being replaced; that it stays away isn't a configuration either
    if (now != null && settled && !Arrays.equals(now, read)) {
      reload();
    }
  }

  private void reload() {
    read = content(file);
    seen = read;
    try {
      LoadedConfiguration loaded = loader.load(file);
      loaded.warnings().forEach(warning -> LOG.warn("{}", warning));
      List<String> waiting = node.reload(loaded.configuration());
      LOG.info("{}: applied", file);
      if (!waiting.isEmpty()) {
        LOG.warn("{}: changed, but taking effect at the next start only: {}", file, waiting);
      }
      holds = true;
      applied.increment();
    } catch (InvalidConfigurationException e) {
      refuse(e.getMessage());
    } catch (ProblemException e) {
      refuse(e.problem().detail());
    } catch (RuntimeException e) {
      LOG.error("{}: could not be applied", file, e);
      refuse(e.toString());
    }
  }

  private void refuse(String reason) {
    holds = false;
    refused.increment();
    LOG.error("{}: refused; what held before goes on. Mend it:\n{}", file, reason);
  }

  @Override
  public void close() {
    thread.shutdownNow();
  }
}
