package dev.rowcast.embedded;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * How an {@link EmbeddedConnect} is to run.
 *
 * @param restPort of the REST interface, on 127.0.0.1; 0 for a free one
 * @param groupId of the worker's group; also names its transactions, so keep it between starts
 * @param topicPrefix the worker's topics are this followed by {@code configs}, {@code offsets} and
 *     {@code status}
 * @param pluginPath folders of plugins; those on the class path are always there
 * @param settings worker properties that override the embedded ones
 * @param onFatal told once, on a thread of Connect's, why a running worker failed; must not block
 */
public record ConnectOptions(
    int restPort,
    String groupId,
    String topicPrefix,
    List<Path> pluginPath,
    Map<String, String> settings,
    Consumer<String> onFatal) {
  public ConnectOptions {
    pluginPath = List.copyOf(pluginPath);
    settings = Map.copyOf(settings);
  }

  /**
   * A free port, group {@code rowcast-connect}, topics {@code _connect-…}, failures logged only.
   */
  public static ConnectOptions defaults() {
    return new ConnectOptions(0, "rowcast-connect", "_connect-", List.of(), Map.of(), reason -> {});
  }

  /** These options with another port of the REST interface. */
  public ConnectOptions withRestPort(int port) {
    return new ConnectOptions(port, groupId, topicPrefix, pluginPath, settings, onFatal);
  }

  /** These options with another group and prefix of the worker's topics. */
  public ConnectOptions withNames(String group, String prefix) {
    return new ConnectOptions(restPort, group, prefix, pluginPath, settings, onFatal);
  }

  /** These options with other folders of plugins. */
  public ConnectOptions withPluginPath(List<Path> folders) {
    return new ConnectOptions(restPort, groupId, topicPrefix, folders, settings, onFatal);
  }

  /** These options with one more worker property. */
  public ConnectOptions withSetting(String name, String value) {
    return new ConnectOptions(
        restPort,
        groupId,
        topicPrefix,
        pluginPath,
        KafkaOptions.plus(settings, name, value),
        onFatal);
  }

  /** These options with another listener for failures. */
  public ConnectOptions withOnFatal(Consumer<String> listener) {
    return new ConnectOptions(restPort, groupId, topicPrefix, pluginPath, settings, listener);
  }
}
