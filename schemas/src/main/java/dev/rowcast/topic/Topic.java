package dev.rowcast.topic;

import java.util.Map;

/**
 * One of Rowcast's own topics, with all its settings: none is left to a broker's default.
 *
 * @param name with the configured prefix
 * @param partitions {@code >= 1}
 * @param settings Kafka topic settings by their Kafka names
 */
public record Topic(String name, int partitions, Map<String, String> settings) {
  public Topic {
    settings = Map.copyOf(settings);
  }
}
