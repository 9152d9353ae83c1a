package dev.rowcast.embedded;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Kafka, Connect and PostgreSQL on one data directory, each started when first asked for and all
 * stopped together in the right order. For a command that runs everything, and for tests:
 *
 * <pre>{@code
 * try (EmbeddedStack stack = EmbeddedStack.temporary()) {
 *   String bootstrapServers = stack.kafka().bootstrapServers();
 *   Connection connection = stack.postgreSql().connect("postgres");
 * }
 * }</pre>
 *
 * <p>Safe for any thread; Kafka and PostgreSQL may be started by two at the same time.
 */
public final class EmbeddedStack implements AutoCloseable {
  private final DataDirectory directory;
  private final KafkaOptions kafkaOptions;
  private final ConnectOptions connectOptions;
  private final PostgreSqlOptions postgreSqlOptions;
  private final boolean deletedOnClose;

  private final Object kafkaLock = new Object();
  private final Object connectLock = new Object();
  private final Object postgreSqlLock = new Object();
  private volatile boolean closed;
  private @Nullable EmbeddedKafka kafka;
  private @Nullable EmbeddedConnect connect;
  private @Nullable EmbeddedPostgreSql postgreSql;

  /** The stack takes the directory over and closes it. */
  public EmbeddedStack(
      DataDirectory directory,
      KafkaOptions kafkaOptions,
      ConnectOptions connectOptions,
      PostgreSqlOptions postgreSqlOptions) {
    this(directory, kafkaOptions, connectOptions, postgreSqlOptions, false);
  }

  private EmbeddedStack(
      DataDirectory directory,
      KafkaOptions kafkaOptions,
      ConnectOptions connectOptions,
      PostgreSqlOptions postgreSqlOptions,
      boolean deletedOnClose) {
    this.directory = directory;
    this.kafkaOptions = kafkaOptions;
    this.connectOptions = connectOptions;
    this.postgreSqlOptions = postgreSqlOptions;
    this.deletedOnClose = deletedOnClose;
  }

  /** A stack with default options in a temporary directory, which closing it deletes. */
  public static EmbeddedStack temporary() {
    return temporary(
        KafkaOptions.defaults(), ConnectOptions.defaults(), PostgreSqlOptions.defaults());
  }

  /** As {@link #temporary()}, with options. */
  public static EmbeddedStack temporary(
      KafkaOptions kafkaOptions,
      ConnectOptions connectOptions,
      PostgreSqlOptions postgreSqlOptions) {
    try {
      DataDirectory directory = DataDirectory.open(Files.createTempDirectory("rowcast-"));
      return new EmbeddedStack(directory, kafkaOptions, connectOptions, postgreSqlOptions, true);
    } catch (IOException e) {
      throw new EmbeddedStartException("cannot make a temporary directory: " + e.getMessage(), e);
    }
  }

  /**
   * The temporary stack that all tests of this JVM share, with {@code wal_level=logical}. It closes
   * with the JVM; don't close it, and give topics, connectors and databases names of your own.
   */
  public static EmbeddedStack shared() {
    return Shared.STACK;
  }

  /** The data directory. */
  public DataDirectory directory() {
    return directory;
  }

  /**
   * The broker, started now if it wasn't.
   *
   * @throws EmbeddedStartException if it can't be
   * @throws IllegalStateException if the stack is closed
   */
  public EmbeddedKafka kafka() {
    synchronized (kafkaLock) {
      if (kafka == null) {
        requireOpen();
        kafka = EmbeddedKafka.start(directory.kafka(), kafkaOptions);
      }
      return kafka;
    }
  }

  /**
   * The worker, started now if it wasn't, and the broker before it.
   *
   * @throws EmbeddedStartException if it can't be
   * @throws IllegalStateException if the stack is closed
   */
  public EmbeddedConnect connect() {
    synchronized (connectLock) {
      if (connect == null) {
        requireOpen();
        connect = EmbeddedConnect.start(kafka().bootstrapServers(), connectOptions);
      }
      return connect;
    }
  }

  /**
   * The database server, started now if it wasn't.
   *
   * @throws EmbeddedStartException if it can't be
   * @throws IllegalStateException if the stack is closed
   */
  public EmbeddedPostgreSql postgreSql() {
    synchronized (postgreSqlLock) {
      if (postgreSql == null) {
        requireOpen();
        postgreSql = EmbeddedPostgreSql.start(directory.postgreSql(), postgreSqlOptions);
      }
      return postgreSql;
    }
  }

  /**
   * Stops the worker where it runs, while broker and database go on: for who has clients of theirs
   * to stop at the same time. It isn't started again. Idempotent.
   */
  public void closeConnect() {
    closed = true;
    synchronized (connectLock) {
      if (connect != null) {
        connect.close();
      }
    }
  }

  /**
   * Stops what runs: Connect, then Kafka and PostgreSQL at the same time, within seconds.
   * Idempotent.
   */
  @Override
  public void close() {
    closeConnect();
    CompletableFuture<Void> database =
        CompletableFuture.runAsync(
            () -> {
              synchronized (postgreSqlLock) {
                if (postgreSql != null) {
                  postgreSql.close();
                }
              }
            });
    synchronized (kafkaLock) {
      if (kafka != null) {
        kafka.close();
      }
    }
    database.join();
    directory.close();
    if (deletedOnClose) {
      try {
        FileTree.delete(directory.root());
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  /** What was told to stop must not be started by a thread that didn't hear of it. */
  private void requireOpen() {
    if (closed) {
      throw new IllegalStateException("the stack is closed");
    }
  }

  private static final class Shared {
    static final EmbeddedStack STACK =
        temporary(
            KafkaOptions.defaults(),
            ConnectOptions.defaults(),
            PostgreSqlOptions.defaults().withSetting("wal_level", "logical"));

    static {
      Runtime.getRuntime().addShutdownHook(new Thread(STACK::close, "stop-shared-stack"));
    }
  }
}
