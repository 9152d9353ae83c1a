package dev.rowcast.fanout;

import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongUnaryOperator;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.streams.KafkaClientSupplier;

/**
 * Kafka Streams always starts where its group committed last. A node of the edge starts where its
 * feed is, so its consumer is told so each time it gets the partition; what Streams itself does
 * then comes before. All on the thread of Streams.
 */
final class EventsClients implements KafkaClientSupplier {
  private final String node;
  private final TopicPartition events;
  private final LongUnaryOperator seekTo;
  private final Runnable lost;

  /**
   * @param node the one member of the group: whoever takes its place, a thread or a process, has it
   *     at once and doesn't wait for the former to expire
   * @param events the one partition of the outbox
   * @param seekTo from the oldest retained position to the one to read on from
   * @param lost the partition isn't this node's any more
   */
  EventsClients(String node, TopicPartition events, LongUnaryOperator seekTo, Runnable lost) {
    this.node = node;
    this.events = events;
    this.seekTo = seekTo;
    this.lost = lost;
  }

  @Override
  public Consumer<byte[], byte[]> getConsumer(Map<String, Object> config) {
    Map<String, Object> ours = new HashMap<>(config);
    ours.put(ConsumerConfig.GROUP_INSTANCE_ID_CONFIG, node);
    return new Following(ours);
  }

  @Override
  public Admin getAdmin(Map<String, Object> config) {
    return Admin.create(config);
  }

  @Override
  public Producer<byte[], byte[]> getProducer(Map<String, Object> config) {
    return new KafkaProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer());
  }

  @Override
  public Consumer<byte[], byte[]> getRestoreConsumer(Map<String, Object> config) {
    return new KafkaConsumer<>(config, new ByteArrayDeserializer(), new ByteArrayDeserializer());
  }

  @Override
  public Consumer<byte[], byte[]> getGlobalConsumer(Map<String, Object> config) {
    return new KafkaConsumer<>(config, new ByteArrayDeserializer(), new ByteArrayDeserializer());
  }

  private final class Following extends KafkaConsumer<byte[], byte[]> {
    Following(Map<String, Object> config) {
      super(config, new ByteArrayDeserializer(), new ByteArrayDeserializer());
    }

    @Override
    public void subscribe(Collection<String> topics, ConsumerRebalanceListener listener) {
      super.subscribe(topics, new Seeking(listener));
    }

    private final class Seeking implements ConsumerRebalanceListener {
      private final ConsumerRebalanceListener streams;

      Seeking(ConsumerRebalanceListener streams) {
        this.streams = streams;
      }

      @Override
      public void onPartitionsAssigned(Collection<TopicPartition> partitions) {
        streams.onPartitionsAssigned(partitions);
        if (partitions.contains(events)) {
          long oldest = beginningOffsets(List.of(events)).getOrDefault(events, 0L);
          seek(events, seekTo.applyAsLong(oldest));
        }
      }

      @Override
      public void onPartitionsRevoked(Collection<TopicPartition> partitions) {
        streams.onPartitionsRevoked(partitions);
        if (partitions.contains(events)) {
          lost.run();
        }
      }

      @Override
      public void onPartitionsLost(Collection<TopicPartition> partitions) {
        streams.onPartitionsLost(partitions);
        lost.run();
      }
    }
  }
}
