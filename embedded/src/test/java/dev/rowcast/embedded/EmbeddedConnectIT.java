package dev.rowcast.embedded;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.TransactionListing;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EmbeddedConnectIT {
  @TempDir static Path folder;
  private static EmbeddedKafka kafka;

  @BeforeAll
  static void startKafka() {
    kafka = EmbeddedKafka.start(folder.resolve("kafka"), KafkaOptions.defaults());
  }

  @AfterAll
  static void stopKafka() {
    kafka.close();
  }

  @Test
  void sourceThatRequiresExactlyOnceGoesOnAfterARestartWithoutRepeating() throws Exception {
    ConnectOptions options = ConnectOptions.defaults();
    try (EmbeddedConnect connect = EmbeddedConnect.start(kafka.bootstrapServers(), options)) {
      put(connect.url(), "counting", source("counted", 3, "none"));
      assertEquals(List.of("1", "2", "3"), values(read("counted", 3)));
    }
    try (EmbeddedConnect connect = EmbeddedConnect.start(kafka.bootstrapServers(), options)) {
      put(connect.url(), "counting", source("counted", 5, "none"));
      assertEquals(List.of("1", "2", "3", "4", "5"), values(read("counted", 5)));
    }
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()))) {
      assertTrue(
          admin.listTransactions().all().get().stream()
              .map(TransactionListing::transactionalId)
              .anyMatch("rowcast-connect-counting-0"::equals));
    }
  }

  @Test
  void secretComesFromAFileAndIsNotShownByTheRestInterface() throws Exception {
    Path secrets = folder.resolve("secrets.properties");
    Files.writeString(secrets, "pass=opensesame\n");
    try (EmbeddedConnect connect =
        EmbeddedConnect.start(
            kafka.bootstrapServers(),
            ConnectOptions.defaults().withNames("secret-group", "_secret-"))) {
      put(connect.url(), "secretive", source("kept", 1, "${file:" + secrets + ":pass}"));
      assertEquals("opensesame", read("kept", 1).get(0).split("=", 2)[0]);
      assertFalse(get(connect.url(), "/connectors/secretive/config").contains("opensesame"));
    }
  }

  @Test
  void takenPortIsTold() throws IOException {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      ConnectOptions options = ConnectOptions.defaults().withRestPort(taken.getLocalPort());
      EmbeddedStartException refused =
          assertThrows(
              EmbeddedStartException.class,
              () -> EmbeddedConnect.start(kafka.bootstrapServers(), options));
      assertTrue(
          refused
              .getMessage()
              .startsWith("port " + taken.getLocalPort() + " for Kafka Connect can't be had"),
          refused.getMessage());
    }
  }

  private static String source(String topic, int count, String secret) {
    return """
        {"connector.class": "CountingSource", "tasks.max": "1", "exactly.once.support": "required",
         "value.converter": "org.apache.kafka.connect.storage.StringConverter",
         "key.converter": "org.apache.kafka.connect.storage.StringConverter",
         "topic.creation.default.replication.factor": "1",
         "topic.creation.default.partitions": "1",
         "topic": "%s", "count": "%d", "secret": "%s"}"""
        .formatted(topic, count, secret);
  }

  private static void put(URI connect, String name, String config) throws Exception {
    HttpResponse<String> response =
        HttpClient.newHttpClient()
            .send(
                HttpRequest.newBuilder(connect.resolve("/connectors/" + name + "/config"))
                    .header("Content-Type", "application/json")
                    .PUT(HttpRequest.BodyPublishers.ofString(config))
                    .build(),
                HttpResponse.BodyHandlers.ofString());
    assertEquals(2, response.statusCode() / 100, response.body());
  }

  private static String get(URI connect, String path) throws Exception {
    return HttpClient.newHttpClient()
        .send(
            HttpRequest.newBuilder(connect.resolve(path)).build(),
            HttpResponse.BodyHandlers.ofString())
        .body();
  }

  private static List<String> values(List<String> records) {
    return records.stream().map(record -> record.split("=", 2)[1]).toList();
  }

  /** The first records committed to the topic, as {@code key=value}. */
  private static List<String> read(String topic, int count) {
    try (KafkaConsumer<String, String> consumer =
        new KafkaConsumer<>(
            Map.of(
                "bootstrap.servers",
                kafka.bootstrapServers(),
                "isolation.level",
                "read_committed",
                "auto.offset.reset",
                "earliest"),
            new StringDeserializer(),
            new StringDeserializer())) {
      consumer.assign(Set.of(new TopicPartition(topic, 0)));
      List<String> records = new ArrayList<>();
      await()
          .atMost(60, TimeUnit.SECONDS)
          .until(
              () -> {
                consumer
                    .poll(Duration.ofMillis(100))
                    .forEach(record -> records.add(record.key() + "=" + record.value()));
                return records.size() >= count;
              });
      return records;
    }
  }
}
