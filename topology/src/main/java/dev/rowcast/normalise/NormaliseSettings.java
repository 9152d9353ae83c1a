package dev.rowcast.normalise;

import dev.rowcast.config.KafkaConfig;
import java.nio.file.Path;
import java.util.Properties;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.streams.StreamsConfig;

/** The settings of the Streams application; what isn't obvious was measured. */
final class NormaliseSettings {
  // above the largest record (8 MiB) and its batch
  private static final int MAX_REQUEST_BYTES = 9 << 20;

  private NormaliseSettings() {}

  static String applicationId(KafkaConfig kafka) {
    return kafka.topicPrefix() + "normalise";
  }

  static Properties of(KafkaConfig kafka, Path stateDirectory, PollEnds pollEnds) {
    Properties settings = new Properties();
    settings.putAll(kafka.properties());
    settings.put(StreamsConfig.APPLICATION_ID_CONFIG, applicationId(kafka));
    settings.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, kafka.bootstrapServers());
    settings.put(StreamsConfig.STATE_DIR_CONFIG, stateDirectory.toString());
    settings.put(StreamsConfig.REPLICATION_FACTOR_CONFIG, kafka.replicationFactor());
    settings.put(StreamsConfig.NUM_STREAM_THREADS_CONFIG, 1);
    settings.put(StreamsConfig.PROCESSING_GUARANTEE_CONFIG, StreamsConfig.EXACTLY_ONCE_V2);
    transactions(settings, pollEnds);
    failover(settings);
    settings.put(
        StreamsConfig.producerPrefix(ProducerConfig.MAX_REQUEST_SIZE_CONFIG), MAX_REQUEST_BYTES);
    settings.put(
        StreamsConfig.consumerPrefix(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG), "false");
    return settings;
  }

  /** Committed where a poll ends; by time only where that is never seen. */
  private static void transactions(Properties settings, PollEnds pollEnds) {
    settings.put(
        StreamsConfig.mainConsumerPrefix(ConsumerConfig.INTERCEPTOR_CLASSES_CONFIG),
        PollEnds.Interceptor.class.getName());
    settings.put(StreamsConfig.mainConsumerPrefix(PollEnds.SETTING), pollEnds);
    settings.put(StreamsConfig.mainConsumerPrefix(ConsumerConfig.MAX_POLL_RECORDS_CONFIG), 2_000);
    settings.put(StreamsConfig.COMMIT_INTERVAL_MS_CONFIG, 50L);
    // a commit sends what is there; until then only full batches are worth a request
    settings.put(StreamsConfig.producerPrefix(ProducerConfig.LINGER_MS_CONFIG), 100);
    // The first batch of a transaction may be told to come again while the last one completes.
    // Batches that were already on their way behind it are then out of sequence, are refused one by
    // one, and a busy producer spends its time on that: so one request at a time, a large one.
    settings.put(
        StreamsConfig.producerPrefix(ProducerConfig.MAX_IN_FLIGHT_REQUESTS_PER_CONNECTION), 1);
    settings.put(StreamsConfig.producerPrefix(ProducerConfig.BATCH_SIZE_CONFIG), 256 << 10);
    // the producer meets its own last transaction, not quite completed, and tries again
    settings.put(StreamsConfig.producerPrefix(CommonClientConfigs.RETRY_BACKOFF_MS_CONFIG), 1L);
  }

  /**
   * Another node goes on after 6 s instead of 45; an open transaction holds up no reader longer.
   */
  private static void failover(Properties settings) {
    settings.put(StreamsConfig.producerPrefix(ProducerConfig.TRANSACTION_TIMEOUT_CONFIG), 4_000);
    settings.put(StreamsConfig.consumerPrefix(ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG), 6_000);
    settings.put(StreamsConfig.consumerPrefix(ConsumerConfig.HEARTBEAT_INTERVAL_MS_CONFIG), 1_500);
    // how soon a topic is noticed that was made after the start
    settings.put(StreamsConfig.consumerPrefix(CommonClientConfigs.METADATA_MAX_AGE_CONFIG), 2_000L);
  }
}
