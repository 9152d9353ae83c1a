package dev.rowcast.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * What {@code postmaster.pid} in a cluster's folder tells of the server that wrote it. Immutable.
 *
 * @param pid the server's process
 * @param started when the server says it started
 */
record Postmaster(long pid, Instant started) {
  static final String FILE = "postmaster.pid";

  /** The server that says it has the cluster, or empty if none does. */
  static Optional<Postmaster> of(Path cluster) throws IOException {
    try {
      List<String> lines = Files.readAllLines(cluster.resolve(FILE));
      return lines.size() < 3
          ? Optional.empty()
          : Optional.of(
              new Postmaster(
                  Long.parseLong(lines.get(0).trim()),
                  Instant.ofEpochSecond(Long.parseLong(lines.get(2).trim()))));
    } catch (NoSuchFileException | NumberFormatException e) {
      return Optional.empty();
    }
  }

  /**
   * The server's process if it still runs. The number alone doesn't prove it: after a restart of
   * the machine it may be anybody's, another PostgreSQL's included, so name and start have to
   * agree.
   */
  Optional<ProcessHandle> running() {
    return ProcessHandle.of(pid)
        .filter(ProcessHandle::isAlive)
        .filter(
            process ->
                process.info().command().filter(command -> command.endsWith("postgres")).isPresent()
                    && process.info().startInstant().filter(this::near).isPresent());
  }

  private boolean near(Instant processStart) {
    return Duration.between(processStart, started).abs().compareTo(Duration.ofSeconds(30)) < 0;
  }
}
