package dev.rowcast.standalone.demo;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.random.RandomGenerator;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The demo's table that comes from a topic: somebody else's program counts a warehouse and writes
 * JSON upserts and tombstones to {@code shop.stock}. One thread at a time.
 */
final class StockTopic implements AutoCloseable {
  static final String NAME = "shop.stock";

  private static final Logger LOG = LoggerFactory.getLogger(StockTopic.class);
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final List<String> SKUS =
      List.of("anvil", "bolt", "crate", "drill", "easel", "file", "gasket", "hammer");

  private final KafkaProducer<byte[], byte[]> producer;
  private final RandomGenerator random = RandomGenerator.getDefault();

  private StockTopic(KafkaProducer<byte[], byte[]> producer) {
    this.producer = producer;
  }

  /** Creates the topic where it is missing, with a first count of every article. */
  static StockTopic open(String bootstrapServers) throws ExecutionException, InterruptedException {
    boolean created = create(bootstrapServers);
    StockTopic topic =
        new StockTopic(
            new KafkaProducer<>(
                Map.of(
                    ProducerConfig.BOOTSTRAP_SERVERS_CONFIG,
                    bootstrapServers,
                    ProducerConfig.BUFFER_MEMORY_CONFIG,
                    "1048576"),
                new ByteArraySerializer(),
                new ByteArraySerializer()));
    if (created) {
      SKUS.forEach(topic::count);
      topic.producer.flush();
    }
    return topic;
  }

  /** One article is counted again, or now and then no longer sold. */
  void changeOneRow() {
    String sku = SKUS.get(random.nextInt(SKUS.size()));
    if (random.nextInt(10) == 0) {
      send(sku, null);
    } else {
      count(sku);
    }
  }

  private void count(String sku) {
    ObjectNode row = JSON.createObjectNode();
    row.put("sku", sku).put("warehouse", "north").put("quantity", random.nextInt(200));
    row.put("counted_at", Instant.now().truncatedTo(ChronoUnit.MILLIS).toString());
    send(sku, row);
  }

  private void send(String sku, @Nullable ObjectNode row) {
    byte[] key =
        JSON.createObjectNode().put("sku", sku).toString().getBytes(StandardCharsets.UTF_8);
    byte[] value = row == null ? null : row.toString().getBytes(StandardCharsets.UTF_8);
    var unused =
        producer.send(
            new ProducerRecord<>(NAME, key, value),
            (metadata, error) -> {
              if (error != null) {
                LOG.warn("The demo's count of {} failed: {}", sku, error.getMessage());
              }
            });
  }

  private static boolean create(String bootstrapServers)
      throws ExecutionException, InterruptedException {
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrapServers))) {
      NewTopic topic =
          new NewTopic(NAME, 1, (short) 1).configs(Map.of("cleanup.policy", "compact"));
      admin.createTopics(List.of(topic)).all().get();
      return true;
    } catch (ExecutionException e) {
      if (e.getCause() instanceof TopicExistsException) {
        return false;
      }
      throw e;
    }
  }

  @Override
  public void close() {
    producer.close(Duration.ofSeconds(1)); // what isn't counted now is counted later
  }
}
