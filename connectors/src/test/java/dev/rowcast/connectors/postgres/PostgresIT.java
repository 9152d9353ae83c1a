package dev.rowcast.connectors.postgres;

import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** What tests with a source of their own share. */
abstract class PostgresIT {
  SourceUnderTest source;
  TopicLog events;
  TopicLog rows;

  @BeforeEach
  void start() throws Exception {
    source = new SourceUnderTest();
    events = source.events();
    rows = source.rows();
  }

  @AfterEach
  void stop() throws Exception {
    events.close();
    rows.close();
    source.close();
  }

  /** The keys and ops of the first events, such as {@code insert {"id":1}}. */
  List<String> ops(int count) {
    events.until(all -> all.size() >= count);
    return events.events().stream().map(e -> e.op().wire() + " " + e.rowKey()).toList();
  }
}
