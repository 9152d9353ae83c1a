package dev.rowcast.embedded;

import java.util.List;
import java.util.Map;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.Importance;
import org.apache.kafka.connect.connector.Task;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.source.ExactlyOnceSupport;
import org.apache.kafka.connect.source.SourceConnector;
import org.apache.kafka.connect.source.SourceRecord;
import org.apache.kafka.connect.source.SourceTask;

/** Writes 1, 2, 3 … up to {@code count} to {@code topic}, each once; for tests. */
public final class CountingSource extends SourceConnector {
  private Map<String, String> settings = Map.of();

  @Override
  public void start(Map<String, String> given) {
    settings = Map.copyOf(given);
  }

  @Override
  public Class<? extends Task> taskClass() {
    return CountingTask.class;
  }

  @Override
  public List<Map<String, String>> taskConfigs(int maxTasks) {
    return List.of(settings);
  }

  @Override
  public void stop() {}

  @Override
  public ConfigDef config() {
    return new ConfigDef()
        .define("topic", ConfigDef.Type.STRING, Importance.HIGH, "where to")
        .define("count", ConfigDef.Type.INT, Importance.HIGH, "how far")
        .define("secret", ConfigDef.Type.PASSWORD, "", Importance.LOW, "written as the key");
  }

  @Override
  public ExactlyOnceSupport exactlyOnceSupport(Map<String, String> connectorConfig) {
    return ExactlyOnceSupport.SUPPORTED;
  }

  @Override
  public String version() {
    return "1";
  }

  /** The task. */
  public static final class CountingTask extends SourceTask {
    private static final Map<String, String> PARTITION = Map.of("source", "numbers");
    private Map<String, String> settings = Map.of();
    private long last;

    @Override
    public void start(Map<String, String> given) {
      settings = Map.copyOf(given);
      Map<String, Object> offset = context.offsetStorageReader().offset(PARTITION);
      last = offset == null ? 0 : (Long) offset.get("last");
    }

    @Override
    public List<SourceRecord> poll() {
      if (last >= Long.parseLong(settings.get("count"))) {
        return List.of();
      }
      last++;
      return List.of(
          new SourceRecord(
              PARTITION,
              Map.of("last", last),
              settings.get("topic"),
              Schema.STRING_SCHEMA,
              settings.get("secret"),
              Schema.INT64_SCHEMA,
              last));
    }

    @Override
    public void stop() {}

    @Override
    public String version() {
      return "1";
    }
  }
}
