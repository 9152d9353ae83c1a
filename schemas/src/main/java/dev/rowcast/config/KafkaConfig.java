package dev.rowcast.config;

import java.time.Duration;
import java.util.Map;
import java.util.TreeSet;

/**
 * The cluster with Rowcast's topics: {@code kafka}.
 *
 * @param bootstrapServers {@code host:port}, comma-separated
 * @param topicPrefix put before the name of each of Rowcast's topics; may be empty
 * @param retention how long events are kept
 * @param replicationFactor of Rowcast's topics; {@code >= 1}
 * @param nodeId this node's name, part of its Streams application's id; stable over restarts
 * @param properties passed to every client as they are (security and the like)
 */
public record KafkaConfig(
    String bootstrapServers,
    String topicPrefix,
    Duration retention,
    int replicationFactor,
    String nodeId,
    Map<String, String> properties) {
  public KafkaConfig {
    properties = Map.copyOf(properties);
  }

  /** The same at another address. */
  public KafkaConfig withBootstrapServers(String bootstrapServers) {
    return new KafkaConfig(
        bootstrapServers, topicPrefix, retention, replicationFactor, nodeId, properties);
  }

  /** The same for another node. */
  public KafkaConfig withNodeId(String nodeId) {
    return new KafkaConfig(
        bootstrapServers, topicPrefix, retention, replicationFactor, nodeId, properties);
  }

  /** Without the values of {@link #properties()}, which may hold passwords. */
  @Override
  public String toString() {
    return "KafkaConfig[bootstrapServers="
        + bootstrapServers
        + ", topicPrefix="
        + topicPrefix
        + ", retention="
        + retention
        + ", replicationFactor="
        + replicationFactor
        + ", nodeId="
        + nodeId
        + ", properties="
        + new TreeSet<>(properties.keySet())
        + "]";
  }
}
