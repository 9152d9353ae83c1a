package dev.rowcast.embedded;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A running server. It lives as long as the write end of a pipe is open, and only this process has
 * that end: closing it stops the server, and so does the death of this process. Thread-safe.
 */
final class PostgreSqlServer implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(PostgreSqlServer.class);
  private static final int START_SECONDS = 120;
  private static final int LAST_MOMENTS_MILLIS = 500;
  private static final Duration STOP_LIMIT = Duration.ofSeconds(8);

  private final Process keeper;
  private final ProcessHandle postmaster;
  private final Path data;
  private final AtomicBoolean closed = new AtomicBoolean();

  private PostgreSqlServer(Process keeper, ProcessHandle postmaster, Path data) {
    this.keeper = keeper;
    this.postmaster = postmaster;
    this.data = data;
  }

  /**
   * @param onFatal told when the server ends without being closed
   * @throws EmbeddedStartException with what the server said
   */
  static PostgreSqlServer start(PostgreSqlCluster cluster, Consumer<String> onFatal) {
    Process keeper = null;
    try {
      keeper =
          new ProcessBuilder(cluster.startCommand(START_SECONDS)).redirectErrorStream(true).start();
      StringBuilder said = new StringBuilder();
      BufferedReader reader =
          new BufferedReader(
              new InputStreamReader(keeper.getInputStream(), StandardCharsets.UTF_8));
      for (String line = reader.readLine(); !"started".equals(line); line = reader.readLine()) {
        // a watcher may be there already and keep the output open
        if (line == null || line.equals("failed")) {
          throw new EmbeddedStartException(
              "PostgreSQL did not start: " + said.toString().strip() + lastWords(cluster.log()));
        }
        said.append(line).append(' ');
      }
      long pid =
          Postmaster.of(cluster.data())
              .orElseThrow(() -> new IOException("the server ended at once"))
              .pid();
      ProcessHandle postmaster =
          ProcessHandle.of(pid).orElseThrow(() -> new IOException("the server ended at once"));
      PostgreSqlServer server = new PostgreSqlServer(keeper, postmaster, cluster.data());
      var unused = postmaster.onExit().thenAccept(gone -> server.ended(cluster.log(), onFatal));
      return server;
    } catch (IOException e) {
      letGo(keeper);
      throw new EmbeddedStartException("PostgreSQL did not start: " + e.getMessage(), e);
    } catch (EmbeddedStartException e) {
      letGo(keeper);
      throw e;
    }
  }

  /** The process of the server. */
  long pid() {
    return postmaster.pid();
  }

  @Override
  public void close() {
    if (closed.compareAndSet(false, true)) {
      letGo(keeper);
      Bounded.run("stop-postgresql", STOP_LIMIT, this::awaitEnd);
    }
  }

  /**
   * The server takes its file away as the last thing it does, and its watcher goes after that,
   * which ends the keeper's output. The server's process is not ours to wait for, and may be
   * counted as alive until whoever inherited it has looked at its end: hence not for long.
   */
  private void awaitEnd() {
    try (InputStream watched = keeper.getInputStream()) {
      while (postmaster.isAlive() && Files.exists(data.resolve(Postmaster.FILE))) {
        Thread.sleep(5);
      }
      watched.transferTo(OutputStream.nullOutputStream());
      postmaster.onExit().get(LAST_MOMENTS_MILLIS, TimeUnit.MILLISECONDS);
    } catch (IOException | ExecutionException | TimeoutException e) {
      LOG.debug("PostgreSQL's last process was not seen to end", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void ended(Path log, Consumer<String> onFatal) {
    if (closed.compareAndSet(false, true)) {
      letGo(keeper);
      String reason = "PostgreSQL ended by itself" + lastWords(log);
      LOG.error(reason);
      onFatal.accept(reason);
    }
  }

  private static void letGo(@Nullable Process keeper) {
    if (keeper == null) {
      return;
    }
    try {
      keeper.getOutputStream().close();
    } catch (IOException e) {
      LOG.debug("the pipe was closed already", e);
    }
  }

  private static String lastWords(Path log) {
    try {
      List<String> lines = Files.readAllLines(log);
      return lines.stream()
          .skip(Math.max(0, lines.size() - 5))
          .collect(Collectors.joining("; ", " (" + log + ": ", ")"));
    } catch (IOException e) {
      return " (" + log + ")";
    }
  }
}
