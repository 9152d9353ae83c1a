package dev.rowcast.normalise;

import dev.rowcast.catalog.KafkaCatalog;
import dev.rowcast.config.KafkaConfig;
import dev.rowcast.event.TableId;
import dev.rowcast.source.Strategy;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** The application in a process of its own, to be killed. Ends when its standard input does. */
final class NormaliseProcess {
  private NormaliseProcess() {}

  /** Arguments: bootstrap servers, prefix, state directory, topic of the table {@code public.t}. */
  public static void main(String[] args) throws IOException {
    KafkaConfig kafka = new KafkaConfig(args[0], args[1], Duration.ofDays(7), 1, "child", Map.of());
    try (KafkaCatalog catalog = KafkaCatalog.open(kafka);
        NormaliseApplication application =
            NormaliseApplication.start(
                kafka, List.of(table("t", args[3])), catalog, Path.of(args[2]))) {
      while (System.in.read() >= 0) {
        System.out.println(application.state());
      }
    }
  }

  static SourceTable table(String name, String topic) {
    return new SourceTable(
        new TableId("public", name), "shop", Strategy.KAFKA, topic, List.of(), List.of("id"));
  }

  static Process start(KafkaConfig kafka, Path stateDirectory, String topic) throws IOException {
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Xmx256m",
            "-XX:TieredStopAtLevel=1",
            "-cp",
            System.getProperty("java.class.path"),
            NormaliseProcess.class.getName(),
            kafka.bootstrapServers(),
            kafka.topicPrefix(),
            stateDirectory.toString(),
            topic)
        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
        .redirectError(ProcessBuilder.Redirect.DISCARD)
        .start();
  }
}
