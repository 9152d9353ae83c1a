package dev.rowcast.embedded;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.apache.kafka.common.utils.Exit;
import org.jspecify.annotations.Nullable;

/**
 * Kafka ends the process when it meets a fatal error, a taken port or a full disk among them.
 * Inside another program that is not its to do: from the first embedded server on, the whole JVM's
 * exits through Kafka become a message to whoever runs one. Kafka doesn't say which server it was,
 * so all hear it. Its shutdown hooks go too, since the order of stopping is the owner's.
 * Thread-safe.
 */
final class ProcessExit {
  private static final List<Consumer<String>> LISTENERS = new CopyOnWriteArrayList<>();

  static {
    Exit.setExitProcedure(ProcessExit::refused);
    Exit.setHaltProcedure(ProcessExit::refused);
    Exit.setShutdownHookAdder((name, hook) -> {});
  }

  private ProcessExit() {}

  /** Calls the listener, on Kafka's thread, for each exit asked for until the result is closed. */
  static Listening listen(Consumer<String> listener) {
    LISTENERS.add(listener);
    return () -> LISTENERS.remove(listener);
  }

  /** Ends the listening. */
  interface Listening extends AutoCloseable {
    @Override
    void close();
  }

  private static void refused(int status, @Nullable String message) {
    String reason =
        "Kafka met a fatal error (status "
            + status
            + (message == null ? "" : ": " + message)
            + "), its log says which";
    LISTENERS.forEach(listener -> listener.accept(reason));
  }
}
