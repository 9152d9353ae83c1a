package dev.rowcast.embedded;

import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * How an {@link EmbeddedKafka} is to run.
 *
 * @param brokerPort where clients connect, on 127.0.0.1; 0 for a free one
 * @param controllerPort for the controller's own traffic, on 127.0.0.1; 0 for a free one
 * @param settings broker properties that override the embedded ones
 * @param onFatal told once, on a thread of Kafka's, why a running broker failed; must not block
 */
public record KafkaOptions(
    int brokerPort, int controllerPort, Map<String, String> settings, Consumer<String> onFatal) {
  public KafkaOptions {
    settings = Map.copyOf(settings);
  }

  /** Free ports, the embedded settings, failures logged only. */
  public static KafkaOptions defaults() {
    return new KafkaOptions(0, 0, Map.of(), reason -> {});
  }

  /** These options with another broker port. */
  public KafkaOptions withBrokerPort(int port) {
    return new KafkaOptions(port, controllerPort, settings, onFatal);
  }

  /** These options with another controller port. */
  public KafkaOptions withControllerPort(int port) {
    return new KafkaOptions(brokerPort, port, settings, onFatal);
  }

  /** These options with one more broker property. */
  public KafkaOptions withSetting(String name, String value) {
    return new KafkaOptions(brokerPort, controllerPort, plus(settings, name, value), onFatal);
  }

  /** These options with another listener for failures. */
  public KafkaOptions withOnFatal(Consumer<String> listener) {
    return new KafkaOptions(brokerPort, controllerPort, settings, listener);
  }

  static Map<String, String> plus(Map<String, String> settings, String name, String value) {
    Map<String, String> more = new TreeMap<>(settings);
    more.put(name, value);
    return more;
  }
}
