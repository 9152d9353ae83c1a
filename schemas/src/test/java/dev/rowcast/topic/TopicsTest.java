package dev.rowcast.topic;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rowcast.event.EventCodec;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class TopicsTest {

  @Test
  void namesHaveThePrefix() {
    assertEquals(
        List.of("p.events", "p.rows", "p.keys", "p.catalog", "p.dead-letters"),
        new Topics("p.").all().stream().map(Topic::name).toList());
  }

  @Test
  void everyTopicTakesTheLargestRecordAndItsKeyAndHeaders() {
    for (Topic topic : new Topics("").all()) {
      String max = topic.settings().get("max.message.bytes");
      assertTrue(Integer.parseInt(max) > EventCodec.MAX_RECORD_BYTES, topic.toString());
      assertEquals(1, topic.partitions());
    }
  }

  @Test
  void eventsAreKeptAsLongAsSaidAndRowsForEver() {
    Topics topics = new Topics("", Duration.ofDays(30));
    assertEquals("2592000000", topics.events().settings().get("retention.ms"));
    assertEquals("604800000", new Topics("").events().settings().get("retention.ms"));
    assertEquals("compact", topics.rows().settings().get("cleanup.policy"));
  }
}
