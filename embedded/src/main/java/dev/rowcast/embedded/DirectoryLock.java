package dev.rowcast.embedded;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * One owner per directory, across processes and within this one. The operating system drops the
 * lock with the process, so a crash leaves nothing to clean up. Thread-safe.
 */
final class DirectoryLock implements AutoCloseable {
  private static final String FILE = "in-use.lock";

  /** Directories held by this JVM: closing any channel to a locked file gives up its POSIX lock. */
  private static final Set<Path> HELD = ConcurrentHashMap.newKeySet();

  private final Path directory;
  private final FileChannel channel;

  private DirectoryLock(Path directory, FileChannel channel) {
    this.directory = directory;
    this.channel = channel;
  }

  /**
   * Creates the directory if need be and locks it.
   *
   * @throws EmbeddedStartException if it can't be created or written, or is in use
   */
  static DirectoryLock acquire(Path path) {
    Path directory = create(path);
    if (!HELD.add(directory)) {
      throw inUse(directory, Long.toString(ProcessHandle.current().pid()));
    }
    FileChannel channel = null;
    try {
      channel =
          FileChannel.open(
              directory.resolve(FILE),
              StandardOpenOption.CREATE,
              StandardOpenOption.READ,
              StandardOpenOption.WRITE);
      FileLock lock = channel.tryLock();
      if (lock == null) {
        throw inUse(directory, read(channel));
      }
      channel.truncate(0);
      channel.write(
          ByteBuffer.wrap(
              Long.toString(ProcessHandle.current().pid()).getBytes(StandardCharsets.US_ASCII)));
      return new DirectoryLock(directory, channel);
    } catch (IOException e) {
      release(directory, channel);
      throw new EmbeddedStartException(
          "cannot lock " + directory + ": " + e.getMessage() + " (expected: a writable directory)",
          e);
    } catch (EmbeddedStartException e) {
      release(directory, channel);
      throw e;
    }
  }

  /** The directory's real path. */
  Path directory() {
    return directory;
  }

  @Override
  public void close() {
    if (channel.isOpen()) {
      release(directory, channel);
    }
  }

  private static Path create(Path path) {
    try {
      Path directory = Files.createDirectories(path).toRealPath();
      if (!Files.isWritable(directory)) {
        throw new EmbeddedStartException(
            directory + " is not writable (expected: a directory this user may write to)");
      }
      return directory;
    } catch (IOException e) {
      throw new EmbeddedStartException(
          "cannot create "
              + path.toAbsolutePath()
              + ": "
              + e
              + " (expected: a directory this user may write to)",
          e);
    }
  }

  private static void release(Path directory, @Nullable FileChannel channel) {
    try {
      if (channel != null) {
        channel.close();
      }
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    } finally {
      HELD.remove(directory);
    }
  }

  private static String read(FileChannel channel) throws IOException {
    ByteBuffer pid = ByteBuffer.allocate(20);
    channel.read(pid, 0);
    return new String(pid.array(), 0, pid.position(), StandardCharsets.US_ASCII);
  }

  private static EmbeddedStartException inUse(Path directory, String pid) {
    return new EmbeddedStartException(
        directory
            + " is in use by process "
            + (pid.isEmpty() ? "(unknown)" : pid)
            + " (expected: a directory of its own, or that process stopped)");
  }
}
