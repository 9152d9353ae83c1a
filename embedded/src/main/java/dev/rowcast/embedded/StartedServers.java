package dev.rowcast.embedded;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Writes down which real servers a run started, a line each, in the file that the system property
 * {@code rowcast.servers.file} names; nowhere without it. Tests are run with it, so that whoever
 * reads their outcome knows what they ran against. Safe for any thread.
 */
final class StartedServers {
  private static final String FILE = System.getProperty("rowcast.servers.file", "");

  private StartedServers() {}

  static synchronized void started(String server) {
    if (FILE.isEmpty()) {
      return;
    }
    try {
      Path file = Path.of(FILE);
      Files.createDirectories(file.toAbsolutePath().getParent());
      Files.writeString(file, server + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
