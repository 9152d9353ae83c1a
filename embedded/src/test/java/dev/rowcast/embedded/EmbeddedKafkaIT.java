package dev.rowcast.embedded;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EmbeddedKafkaIT {
  private static final TopicPartition NUMBERS = new TopicPartition("numbers", 0);

  @TempDir Path folder;

  @Test
  void topicsAndRecordsSurviveARestartOnOtherPorts() throws Exception {
    String before;
    try (EmbeddedKafka kafka = EmbeddedKafka.start(folder, KafkaOptions.defaults())) {
      before = kafka.bootstrapServers();
      createTopic(before);
      send(before, new byte[] {1});
    }
    try (EmbeddedKafka kafka = EmbeddedKafka.start(folder, KafkaOptions.defaults())) {
      assertNotEquals(before, kafka.bootstrapServers());
      send(kafka.bootstrapServers(), new byte[] {2});
      assertEquals(List.of((byte) 1, (byte) 2), read(kafka.bootstrapServers(), 2));
    }
  }

  @Test
  void recordOfNineMebibytesIsTaken() throws Exception {
    try (EmbeddedKafka kafka = EmbeddedKafka.start(folder, KafkaOptions.defaults())) {
      createTopic(kafka.bootstrapServers());
      send(kafka.bootstrapServers(), new byte[9 << 20]);
    }
  }

  @Test
  void takenPortIsToldAndLeavesTheDirectoryFree() throws IOException {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      KafkaOptions options = KafkaOptions.defaults().withBrokerPort(taken.getLocalPort());
      EmbeddedStartException refused =
          assertThrows(EmbeddedStartException.class, () -> EmbeddedKafka.start(folder, options));
      assertTrue(
          refused.getMessage().startsWith("port " + taken.getLocalPort()), refused.getMessage());
    }
    DirectoryLock.acquire(folder).close();
  }

  @Test
  void faultAtStartIsAnExceptionAndEndsNoProcess() {
    // an address of nobody's: no check of ours sees it, Kafka asks for the process to end
    KafkaOptions options =
        KafkaOptions.defaults()
            .withSetting("listeners", "BROKER://192.0.2.1:9092,CONTROLLER://192.0.2.1:9093")
            .withSetting("controller.quorum.voters", "1@192.0.2.1:9093");
    EmbeddedStartException refused =
        assertThrows(EmbeddedStartException.class, () -> EmbeddedKafka.start(folder, options));
    assertTrue(refused.getMessage().contains("192.0.2.1"), refused.getMessage());
    DirectoryLock.acquire(folder).close();
  }

  @Test
  void secondBrokerOnTheDirectoryIsRefused() {
    try (EmbeddedKafka kafka = EmbeddedKafka.start(folder, KafkaOptions.defaults())) {
      EmbeddedStartException refused =
          assertThrows(
              EmbeddedStartException.class,
              () -> EmbeddedKafka.start(folder, KafkaOptions.defaults()));
      assertTrue(refused.getMessage().contains("is in use by process"), refused.getMessage());
      assertTrue(kafka.port() > 0);
    }
  }

  @Test
  void fullDiskIsReportedInsteadOfEndingTheProcess() throws Exception {
    assumeTrue(
        run("mount", "-t", "tmpfs", "-o", "size=40m", "tmpfs", folder.toString()) == 0,
        "needs the right to mount a small disk");
    AtomicReference<String> failure = new AtomicReference<>();
    try (EmbeddedKafka kafka =
        EmbeddedKafka.start(
            folder.resolve("kafka"), KafkaOptions.defaults().withOnFatal(failure::set))) {
      createTopic(kafka.bootstrapServers());
      try (KafkaProducer<byte[], byte[]> producer = producer(kafka.bootstrapServers())) {
        await()
            .atMost(60, TimeUnit.SECONDS)
            .until(
                () -> {
                  var unused = producer.send(new ProducerRecord<>("numbers", new byte[1 << 20]));
                  return failure.get() != null;
                });
        producer.close(Duration.ZERO);
      }
      assertTrue(failure.get().startsWith("the disk of " + folder), failure.get());
    } finally {
      run("umount", "--lazy", folder.toString());
    }
  }

  private static int run(String... command) throws IOException, InterruptedException {
    return new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
        .start()
        .waitFor();
  }

  private static void createTopic(String bootstrapServers)
      throws ExecutionException, InterruptedException {
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrapServers))) {
      admin
          .createTopics(List.of(new NewTopic("numbers", Optional.of(1), Optional.empty())))
          .all()
          .get();
    }
  }

  private static void send(String bootstrapServers, byte[] value)
      throws ExecutionException, InterruptedException {
    try (KafkaProducer<byte[], byte[]> producer = producer(bootstrapServers)) {
      producer.send(new ProducerRecord<>("numbers", value)).get();
    }
  }

  private static KafkaProducer<byte[], byte[]> producer(String bootstrapServers) {
    return new KafkaProducer<>(
        Map.of(
            "bootstrap.servers",
            bootstrapServers,
            "max.request.size",
            10 << 20,
            "max.block.ms",
            2000,
            "request.timeout.ms",
            10_000,
            "delivery.timeout.ms",
            20_000),
        new ByteArraySerializer(),
        new ByteArraySerializer());
  }

  private static List<Byte> read(String bootstrapServers, int count) {
    try (KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(
            Map.of("bootstrap.servers", bootstrapServers),
            new ByteArrayDeserializer(),
            new ByteArrayDeserializer())) {
      consumer.assign(Set.of(NUMBERS));
      consumer.seekToBeginning(Set.of(NUMBERS));
      List<Byte> values = new ArrayList<>();
      await()
          .atMost(30, TimeUnit.SECONDS)
          .until(
              () -> {
                consumer
                    .poll(Duration.ofMillis(100))
                    .forEach(record -> values.add(record.value()[0]));
                return values.size() >= count;
              });
      return values;
    }
  }
}
