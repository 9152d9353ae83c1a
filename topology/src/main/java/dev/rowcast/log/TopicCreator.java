package dev.rowcast.log;

import dev.rowcast.topic.Topic;
import dev.rowcast.topic.Topics;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.errors.TopicExistsException;

/**
 * Creates Rowcast's topics with explicit settings, and looks at those that are there already: what
 * can't work is said at the start. Stateless; blocks.
 */
public final class TopicCreator {
  private static final long TIMEOUT_SECONDS = 30;

  private TopicCreator() {}

  /**
   * Creates what is missing; settings of topics that exist are left as they are.
   *
   * @param clients settings for the client: {@code bootstrap.servers}, security
   * @param replicationFactor {@code >= 1}
   * @throws IllegalStateException if an existing topic has another number of partitions, or the
   *     broker refuses or doesn't answer
   */
  public static void create(Map<String, ?> clients, Topics topics, int replicationFactor) {
    try (Admin admin = Admin.create(new HashMap<String, Object>(clients))) {
      List<String> existing = createMissing(admin, topics, (short) replicationFactor);
      Map<String, KafkaFuture<TopicDescription>> described =
          admin.describeTopics(existing).topicNameValues();
      for (Topic topic : topics.all()) {
        KafkaFuture<TopicDescription> description = described.get(topic.name());
        if (description != null) {
          check(topic, get(topic, description).partitions().size());
        }
      }
    }
  }

  private static List<String> createMissing(Admin admin, Topics topics, short replicationFactor) {
    List<NewTopic> missing = new ArrayList<>();
    for (Topic topic : topics.all()) {
      missing.add(
          new NewTopic(topic.name(), topic.partitions(), replicationFactor)
              .configs(topic.settings()));
    }
    Map<String, KafkaFuture<Void>> created = admin.createTopics(missing).values();
    List<String> existing = new ArrayList<>();
    for (Topic topic : topics.all()) {
      try {
        get(topic, created.get(topic.name()));
      } catch (IllegalStateException e) {
        if (!(e.getCause() instanceof TopicExistsException)) {
          throw e;
        }
        existing.add(topic.name());
      }
    }
    return existing;
  }

  private static void check(Topic topic, int partitions) {
    if (partitions != topic.partitions()) {
      throw new IllegalStateException(
          "topic %s: %d partitions (expected: %d; its order is what a cursor counts)"
              .formatted(topic.name(), partitions, topic.partitions()));
    }
  }

  private static <T> T get(Topic topic, KafkaFuture<T> answer) {
    try {
      return answer.get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("topic " + topic.name() + ": interrupted", e);
    } catch (ExecutionException e) {
      throw new IllegalStateException(
          "topic " + topic.name() + ": " + e.getCause().getMessage(), e.getCause());
    } catch (TimeoutException e) {
      throw new IllegalStateException(
          "topic " + topic.name() + ": no answer within " + TIMEOUT_SECONDS + " s", e);
    }
  }
}
