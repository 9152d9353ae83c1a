package dev.rowcast.compacted;

import dev.rowcast.config.KafkaConfig;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** The settings of the clients of a compacted topic. */
final class Clients {
  private static final int LIMIT_MS = 10_000;

  private Clients() {}

  static Map<String, Object> consumer(KafkaConfig kafka) {
    Map<String, Object> settings = common(kafka);
    settings.put(ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class);
    settings.put(ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class);
    // a source may write to the catalog within a transaction of its own
    settings.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
    settings.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "none");
    settings.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
    settings.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);
    settings.put(ConsumerConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, LIMIT_MS);
    return settings;
  }

  static Map<String, Object> producer(KafkaConfig kafka) {
    Map<String, Object> settings = common(kafka);
    settings.put(ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class);
    settings.put(ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class);
    settings.put(ProducerConfig.ACKS_CONFIG, "all");
    settings.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true);
    settings.put(ProducerConfig.LINGER_MS_CONFIG, 0);
    settings.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, LIMIT_MS);
    settings.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, LIMIT_MS);
    return settings;
  }

  private static Map<String, Object> common(KafkaConfig kafka) {
    Map<String, Object> settings = new HashMap<>(kafka.properties());
    settings.put(CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG, kafka.bootstrapServers());
    settings.put(CommonClientConfigs.REQUEST_TIMEOUT_MS_CONFIG, LIMIT_MS / 2);
    settings.put(CommonClientConfigs.RECONNECT_BACKOFF_MAX_MS_CONFIG, 1_000);
    return settings;
  }
}
