package dev.rowcast.normalise;

import dev.rowcast.config.KafkaConfig;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.jspecify.annotations.Nullable;

/**
 * What Kafka says of the topics that are read: which there are, and how far they are read. Thread-
 * safe; every call but {@link #fault} asks Kafka and throws a {@link KafkaException} where it
 * doesn't answer within ten seconds.
 */
final class SourceTopics implements AutoCloseable {
  private final Admin admin;
  private final String group;
  private final Set<String> names;

  /** By name; the source topics and the changelogs of their stores. */
  private final Map<String, TopicDescription> known = new ConcurrentHashMap<>();

  SourceTopics(KafkaConfig kafka, Collection<String> names) {
    Map<String, Object> settings = new HashMap<>(kafka.properties());
    settings.put(CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG, kafka.bootstrapServers());
    settings.put(CommonClientConfigs.DEFAULT_API_TIMEOUT_MS_CONFIG, 10_000);
    settings.put(CommonClientConfigs.REQUEST_TIMEOUT_MS_CONFIG, 5_000);
    this.admin = Admin.create(settings);
    this.group = NormaliseSettings.applicationId(kafka);
    this.names = Set.copyOf(names);
  }

  /**
   * Looks which topics there are.
   *
   * @return whether one of them was made anew since the last look
   */
  boolean refresh() {
    Set<String> asked = new HashSet<>(names);
    names.forEach(name -> asked.add(changelog(name)));
    boolean anew = false;
    for (Map.Entry<String, KafkaFuture<TopicDescription>> topic :
        admin.describeTopics(asked).topicNameValues().entrySet()) {
      try {
        TopicDescription now = get(topic.getValue());
        TopicDescription before = known.put(topic.getKey(), now);
        anew |= before != null && !before.topicId().equals(now.topicId());
      } catch (UnknownTopicOrPartitionException e) {
        known.remove(topic.getKey());
      }
    }
    return anew;
  }

  /**
   * Why a topic can't be read, as of the last look; null where it can. Streams would give up all
   * topics for one whose partitions were added to.
   */
  @Nullable String fault(String topic) {
    TopicDescription description = known.get(topic);
    if (description == null) {
      return "topic " + topic + ": missing (expected: made by whoever writes it; then it is read)";
    }
    return hasOtherPartitions(topic)
        ? "topic "
            + topic
            + ": has "
            + description.partitions().size()
            + " partitions, had "
            + known.get(changelog(topic)).partitions().size()
            + " when it was first read (expected: the same, since rows have moved; make the topic"
            + " anew, or delete topic "
            + changelog(topic)
            + " to read it as a new table)"
        : null;
  }

  /** Whether partitions were added since it was first read. */
  boolean hasOtherPartitions(String topic) {
    TopicDescription description = known.get(topic);
    TopicDescription changelog = known.get(changelog(topic));
    return description != null
        && changelog != null
        && description.partitions().size() != changelog.partitions().size();
  }

  /** A number for the topic that has this name now. */
  long incarnation(String topic) {
    TopicDescription description = known.get(topic);
    if (description == null) {
      description = get(admin.describeTopics(Set.of(topic)).topicNameValues().get(topic));
    }
    Uuid id = description.topicId();
    return id.getMostSignificantBits() ^ id.getLeastSignificantBits();
  }

  /** How far each partition of the known topics is read. */
  Map<TopicPartition, Progress> progress() {
    List<TopicPartition> partitions = new ArrayList<>();
    for (String name : names) {
      TopicDescription topic = known.get(name);
      if (topic != null) {
        topic.partitions().forEach(p -> partitions.add(new TopicPartition(name, p.partition())));
      }
    }
    Map<TopicPartition, ListOffsetsResultInfo> ends = offsets(partitions, OffsetSpec.latest());
    Map<TopicPartition, ListOffsetsResultInfo> starts = offsets(partitions, OffsetSpec.earliest());
    Map<TopicPartition, OffsetAndMetadata> committed =
        get(admin.listConsumerGroupOffsets(group).partitionsToOffsetAndMetadata());
    Map<TopicPartition, Progress> progress = new HashMap<>();
    for (TopicPartition partition : partitions) {
      OffsetAndMetadata position = committed.get(partition);
      long start = starts.get(partition).offset();
      progress.put(
          partition,
          new Progress(
              position == null ? start : Math.max(start, position.offset()),
              ends.get(partition).offset()));
    }
    return progress;
  }

  @Override
  public void close() {
    admin.close(Duration.ofSeconds(1));
  }

  private String changelog(String topic) {
    return group + "-" + new NormaliseTopology.Names(topic).rowState() + "-changelog";
  }

  private Map<TopicPartition, ListOffsetsResultInfo> offsets(
      List<TopicPartition> partitions, OffsetSpec which) {
    Map<TopicPartition, OffsetSpec> asked = new HashMap<>();
    partitions.forEach(partition -> asked.put(partition, which));
    return get(
        admin.listOffsets(asked, new ListOffsetsOptions(IsolationLevel.READ_COMMITTED)).all());
  }

  private static <T> T get(KafkaFuture<T> future) {
    try {
      return future.get();
    } catch (InterruptedException e) {
      throw new InterruptException(e); // interrupts the thread again
    } catch (ExecutionException e) {
      throw e.getCause() instanceof KafkaException known ? known : new KafkaException(e.getCause());
    }
  }

  /**
   * How far a partition is read.
   *
   * @param position everything before it is in {@code events}
   * @param end where the partition ends
   */
  record Progress(long position, long end) {
    long lag() {
      return Math.max(0, end - position);
    }
  }
}
