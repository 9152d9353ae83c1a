package dev.rowcast.edge;

import static dev.rowcast.edge.EdgeFixture.ANALYST;
import static dev.rowcast.edge.EdgeFixture.CUSTOMERS;
import static dev.rowcast.edge.EdgeFixture.SECRETS;
import static dev.rowcast.edge.EdgeFixture.as;
import static dev.rowcast.edge.EdgeFixture.json;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.rowcast.catalog.Catalog;
import dev.rowcast.config.KafkaConfig;
import dev.rowcast.config.ServerConfig;
import dev.rowcast.edge.stream.StreamLimits;
import dev.rowcast.embedded.EmbeddedKafka;
import dev.rowcast.embedded.KafkaOptions;
import dev.rowcast.event.EncodedChange;
import dev.rowcast.event.EventCodec;
import dev.rowcast.event.JsonObject;
import dev.rowcast.event.Op;
import dev.rowcast.event.RowChange;
import dev.rowcast.event.TableId;
import dev.rowcast.fanout.EdgeTopology;
import dev.rowcast.fanout.FeedSettings;
import dev.rowcast.log.TopicCreator;
import dev.rowcast.source.SourceStatus;
import dev.rowcast.source.TableDescriptor;
import dev.rowcast.topic.Topics;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The edge over the outbox that it is made for: a real broker, real transactions, real sockets. */
class RealFeedIT {
  private static final int TRANSACTIONS = 600;
  private static final int READERS = 6;

  @TempDir private static Path directory;
  private static EmbeddedKafka broker;
  private static EdgeTopology topology;
  private static EdgeFixture edge;
  private static KafkaProducer<byte[], byte[]> producer;

  @BeforeAll
  static void start() throws Exception {
    broker = EmbeddedKafka.start(directory.resolve("kafka"), KafkaOptions.defaults());
    Map<String, Object> clients = Map.of("bootstrap.servers", broker.bootstrapServers());
    TopicCreator.create(clients, new Topics("a."), 1);
    KafkaConfig kafka =
        new KafkaConfig(
            broker.bootstrapServers(), "a.", Topics.DEFAULT_RETENTION, 1, "n1", Map.of());
    topology =
        EdgeTopology.start(kafka, new NoTables(), FeedSettings.DEFAULT, new SimpleMeterRegistry());
    await().atMost(Duration.ofSeconds(60)).until(topology::ready);
    Duration heartbeat = Duration.ofMillis(500);
    edge =
        new EdgeFixture(
            ServerConfig.DEFAULT.withHeartbeat(heartbeat),
            StreamLimits.of(heartbeat),
            topology.feed());
    producer =
        new KafkaProducer<>(
            Map.of("bootstrap.servers", broker.bootstrapServers(), "transactional.id", "writer"),
            new ByteArraySerializer(),
            new ByteArraySerializer());
    producer.initTransactions();
  }

  @AfterAll
  static void stop() {
    producer.close();
    edge.close();
    topology.close();
    broker.close();
  }

  private static void write(int transaction) {
    producer.beginTransaction();
    for (int i = 0; i <= transaction % 5; i++) {
      TableId table = i % 3 == 1 ? SECRETS : CUSTOMERS;
      EncodedChange change = insert(table, transaction * 10L + i);
      var unused = producer.send(new ProducerRecord<>("a.events", change.key(), change.event()));
    }
    producer.commitTransaction();
  }

  private static EncodedChange insert(TableId table, long key) {
    String row = "{\"id\":" + key + ",\"note\":\"" + "x".repeat((int) (key % 700)) + "\"}";
    return EventCodec.encode(
        new RowChange(
            table,
            Op.INSERT,
            Instant.parse("2026-11-30T20:12:31.123456Z"),
            object("{\"id\":" + key + "}"),
            object(row),
            null,
            null),
        EventCodec.MAX_RECORD_BYTES);
  }

  private static JsonObject object(String json) {
    return JsonObject.of(json.getBytes(UTF_8));
  }

  @Test
  void readersThatReconnectAtRandomSeeEveryEventOnceWhileAWriterNeverRests() {
    String start = edge.get("/api/ddl/events/changes?cursor=latest", as(ANALYST)).body();
    String cursor = json(start).path("cursor").asText();
    CompletableFuture<Void> writer =
        CompletableFuture.runAsync(
            () -> {
              for (int i = 0; i < TRANSACTIONS; i++) {
                write(i);
              }
            });
    List<CompletableFuture<List<Long>>> readers = new ArrayList<>();
    for (int i = 0; i < READERS; i++) {
      int seed = i;
      readers.add(CompletableFuture.supplyAsync(() -> follow(seed, cursor, writer)));
    }
    writer.join();
    List<Long> expected = pollAll(cursor);
    assertTrue(expected.size() > TRANSACTIONS, expected.size() + " events");
    for (var reader : readers) {
      assertEquals(expected, reader.join());
    }
    await().until(() -> edge.edge.openStreams() == 0);
  }

  private static List<Long> pollAll(String from) {
    List<Long> ids = new ArrayList<>();
    JsonNode page;
    String cursor = from;
    do {
      page =
          json(edge.get("/api/ddl/events/changes?limit=97&cursor=" + cursor, as(ANALYST)).body());
      page.path("events").forEach(event -> ids.add(event.path("id").asLong()));
      cursor = page.path("cursor").asText();
    } while (page.path("hasMore").asBoolean() || page.path("events").size() > 0);
    return ids;
  }

  /** Reads on from where it was after each of its many disconnections, until the end. */
  private static List<Long> follow(int seed, String from, CompletableFuture<Void> writer) {
    Random random = new Random(seed);
    List<Long> ids = new ArrayList<>();
    String last = from;
    try {
      long end = Long.MAX_VALUE;
      while (id(last) < end) {
        if (writer.isDone()) {
          end = pollAll(from).stream().mapToLong(Long::longValue).max().orElse(0);
        }
        int frames = random.nextInt(40);
        try (StreamClient client =
            edge.stream(ANALYST, "/events/stream?since=0", "Last-Event-ID: " + last)) {
          long until = end;
          client.readUntil(
              () ->
                  client.sse.events.size() > frames
                      || id(client.sse.lastId) >= until
                      || (writer.isDone() && until == Long.MAX_VALUE));
          for (SseParser.Event event : client.sse.events) {
            JsonNode data = json(event.data());
            if (event.type().equals("batch")) {
              data.path("events").forEach(one -> ids.add(one.path("id").asLong()));
            } else {
              ids.add(data.path("id").asLong());
            }
          }
          last = client.sse.lastId.isEmpty() ? last : client.sse.lastId;
          client.reset();
        }
      }
    } catch (IOException e) {
      throw new AssertionError(e);
    }
    return ids;
  }

  private static long id(String cursor) {
    return cursor.isEmpty() ? -1 : Long.parseLong(cursor.replaceFirst("\\..*", ""));
  }

  @Test
  void transactionMarkersDoNotBringACoalescedBatchForward() throws IOException {
    try (StreamClient client = edge.stream(ANALYST, "/events/stream?coalesce=400")) {
      client.readUntil(() -> !client.sse.lastId.isEmpty());
      CompletableFuture<Void> writer =
          CompletableFuture.runAsync(
              () -> {
                for (int i = 0; i < 200; i++) {
                  write(i);
                }
              });
      client.event(0);
      long first = System.nanoTime();
      while (!writer.isDone() || client.sse.events.size() < 3) {
        client.event(client.sse.events.size());
      }
      long windows = (System.nanoTime() - first) / 400_000_000L + 1;
      assertTrue(
          client.sse.events.size() <= windows + 1,
          client.sse.events.size() + " batches in " + windows + " windows");
    }
  }

  /** The topology needs no description of the tables. */
  private record NoTables() implements Catalog {
    @Override
    public List<TableDescriptor> tables() {
      return List.of();
    }

    @Override
    public Optional<TableDescriptor> table(TableId table) {
      return Optional.empty();
    }

    @Override
    public List<SourceStatus> sources() {
      return List.of();
    }
  }
}
