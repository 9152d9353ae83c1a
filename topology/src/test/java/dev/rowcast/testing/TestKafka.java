package dev.rowcast.testing;

import dev.rowcast.config.KafkaConfig;
import dev.rowcast.embedded.EmbeddedKafka;
import dev.rowcast.embedded.KafkaOptions;
import dev.rowcast.topic.Topic;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Future;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/** A real broker for tests, and what tests do with one. */
public final class TestKafka implements AutoCloseable {
  private final Path directory;
  private final List<Future<RecordMetadata>> posted = new ArrayList<>();
  private EmbeddedKafka broker;
  private final Admin admin;
  private final KafkaProducer<byte[], byte[]> producer;

  private TestKafka(Path directory) {
    this.directory = directory;
    this.broker = EmbeddedKafka.start(directory, KafkaOptions.defaults());
    this.admin = Admin.create(Map.of("bootstrap.servers", broker.bootstrapServers()));
    this.producer =
        new KafkaProducer<>(
            // one at a time: a partition just made may refuse the first of several, and what is
            // behind it is then out of sequence
            Map.of(
                "bootstrap.servers",
                broker.bootstrapServers(),
                "linger.ms",
                0,
                "acks",
                "all",
                "max.in.flight.requests.per.connection",
                1),
            new ByteArraySerializer(),
            new ByteArraySerializer());
  }

  public static TestKafka start(Path directory) {
    return new TestKafka(directory);
  }

  public Admin admin() {
    return admin;
  }

  public KafkaConfig config(String prefix) {
    return new KafkaConfig(
        broker.bootstrapServers(), prefix, Duration.ofDays(7), 1, "test", Map.of());
  }

  public void stopBroker() {
    broker.close();
  }

  /** On the port it had. */
  public void restartBroker() {
    broker = EmbeddedKafka.start(directory, KafkaOptions.defaults().withBrokerPort(broker.port()));
  }

  public void create(Topic topic) throws Exception {
    admin
        .createTopics(
            List.of(
                new NewTopic(topic.name(), topic.partitions(), (short) 1)
                    .configs(topic.settings())))
        .all()
        .get();
  }

  public void create(String topic, int partitions) throws Exception {
    create(new Topic(topic, partitions, Map.of()));
  }

  /** Sends without waiting: see {@link #awaitPosted()}. One thread. */
  public void post(String topic, byte @Nullable [] key, byte @Nullable [] value) {
    posted.add(producer.send(new ProducerRecord<>(topic, key, value)));
  }

  /** Waits until Kafka has all that was posted. */
  public void awaitPosted() throws Exception {
    for (Future<RecordMetadata> each : posted) {
      each.get();
    }
    posted.clear();
  }

  /** Returns the record's offset, once Kafka has it. */
  public long send(String topic, byte @Nullable [] key, byte @Nullable [] value) throws Exception {
    return producer.send(new ProducerRecord<>(topic, 0, key, value)).get().offset();
  }

  /** The committed records of all partitions, partition by partition, as they stand now. */
  public List<ConsumerRecord<byte[], byte[]>> read(String topic) throws Exception {
    int partitions =
        admin.describeTopics(Set.of(topic)).allTopicNames().get().get(topic).partitions().size();
    List<ConsumerRecord<byte[], byte[]>> all = new ArrayList<>();
    for (int i = 0; i < partitions; i++) {
      all.addAll(read(new TopicPartition(topic, i)));
    }
    return all;
  }

  private List<ConsumerRecord<byte[], byte[]>> read(TopicPartition partition) throws Exception {
    Map<String, Object> settings =
        Map.of(
            "bootstrap.servers", broker.bootstrapServers(),
            "isolation.level", "read_committed",
            "auto.offset.reset", "earliest");
    List<ConsumerRecord<byte[], byte[]>> all = new ArrayList<>();
    try (KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
      consumer.assign(List.of(partition));
      long end = consumer.endOffsets(List.of(partition)).get(partition);
      while (consumer.position(partition) < end) {
        consumer.poll(Duration.ofMillis(100)).forEach(all::add);
      }
    }
    return all;
  }

  public long end(String topic) throws Exception {
    TopicPartition partition = new TopicPartition(topic, 0);
    return admin
        .listOffsets(Map.of(partition, OffsetSpec.latest()))
        .partitionResult(partition)
        .get()
        .offset();
  }

  @Override
  public void close() {
    producer.close(Duration.ZERO);
    admin.close(Duration.ZERO);
    broker.close();
  }
}
