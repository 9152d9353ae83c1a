package dev.rowcast.embedded;

import java.nio.file.Path;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * How an {@link EmbeddedPostgreSql} is to run.
 *
 * @param port on 127.0.0.1; 0 for a free one
 * @param password of the superuser {@code postgres}; set when the cluster is made, so keep it
 * @param settings server parameters that override the embedded ones
 * @param programs where the server's programs are unpacked, shared by all who name the same folder;
 *     null for {@code rowcast} in the user's cache folder
 * @param onFatal told once, on some thread, when a running server ended by itself; must not block
 */
public record PostgreSqlOptions(
    int port,
    String password,
    Map<String, String> settings,
    @Nullable Path programs,
    Consumer<String> onFatal) {
  public PostgreSqlOptions {
    settings = Map.copyOf(settings);
  }

  /** A free port, password {@code postgres}, programs in the user's cache, failures logged only. */
  public static PostgreSqlOptions defaults() {
    return new PostgreSqlOptions(0, "postgres", Map.of(), null, reason -> {});
  }

  /** These options with another port. */
  public PostgreSqlOptions withPort(int other) {
    return new PostgreSqlOptions(other, password, settings, programs, onFatal);
  }

  /** These options with another password of the superuser. */
  public PostgreSqlOptions withPassword(String other) {
    return new PostgreSqlOptions(port, other, settings, programs, onFatal);
  }

  /** These options with one more server parameter, {@code wal_level=logical} for one. */
  public PostgreSqlOptions withSetting(String name, String value) {
    return new PostgreSqlOptions(
        port, password, KafkaOptions.plus(settings, name, value), programs, onFatal);
  }

  /** These options with another folder for the server's programs. */
  public PostgreSqlOptions withPrograms(Path folder) {
    return new PostgreSqlOptions(port, password, settings, folder, onFatal);
  }

  /** These options with another listener for failures. */
  public PostgreSqlOptions withOnFatal(Consumer<String> listener) {
    return new PostgreSqlOptions(port, password, settings, programs, listener);
  }
}
