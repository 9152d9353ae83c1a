package dev.rowcast.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The directory in which one Rowcast process keeps everything: who owns it, where each server's
 * part lies, and whether there is room. Locked while open. Immutable, safe for any thread.
 */
public final class DataDirectory implements AutoCloseable {
  /** Free space, in bytes, below which starting is refused unless told otherwise: 512 MiB. */
  public static final long DEFAULT_MIN_FREE_BYTES = 512L << 20;

  private final DirectoryLock lock;

  private DataDirectory(DirectoryLock lock) {
    this.lock = lock;
  }

  /**
   * Creates the directory if need be, locks it and checks for {@link #DEFAULT_MIN_FREE_BYTES}.
   *
   * @throws EmbeddedStartException if it can't be created or written, is in use by another process
   *     (named in the message), or its disk is too full
   */
  public static DataDirectory open(Path path) {
    return open(path, DEFAULT_MIN_FREE_BYTES);
  }

  /**
   * As {@link #open(Path)}, with another limit.
   *
   * @param minFreeBytes the free space expected, in bytes
   * @throws EmbeddedStartException as above
   */
  public static DataDirectory open(Path path, long minFreeBytes) {
    DirectoryLock lock = DirectoryLock.acquire(path);
    try {
      requireFree(lock.directory(), minFreeBytes);
      return new DataDirectory(lock);
    } catch (RuntimeException e) {
      lock.close();
      throw e;
    }
  }

  /** The directory itself, absolute and without symbolic links. */
  public Path root() {
    return lock.directory();
  }

  /** Where the broker's logs lie. */
  public Path kafka() {
    return root().resolve("kafka");
  }

  /** Where the database cluster and the server's log lie. */
  public Path postgreSql() {
    return root().resolve("postgresql");
  }

  /** Where Kafka Streams keeps the local copies of its stores. */
  public Path streams() {
    return root().resolve("streams");
  }

  /** Gives the directory up. Idempotent. */
  @Override
  public void close() {
    lock.close();
  }

  private static void requireFree(Path directory, long minFreeBytes) {
    long free;
    try {
      free = Files.getFileStore(directory).getUsableSpace();
    } catch (IOException e) {
      throw new EmbeddedStartException(
          "cannot tell the free space of " + directory + ": " + e.getMessage(), e);
    }
    if (free < minFreeBytes) {
      throw new EmbeddedStartException(
          "the disk of "
              + directory
              + " is too full: "
              + (free >> 20)
              + " MiB free (expected: at least "
              + (minFreeBytes >> 20)
              + " MiB)");
    }
  }
}
