package dev.rowcast.standalone;

import dev.rowcast.config.Configuration;
import dev.rowcast.edge.CannotListenException;
import dev.rowcast.problem.ProblemException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code rowcast serve}. */
@Command(
    name = "serve",
    description = "Serves row changes from your Kafka, Kafka Connect and databases.",
    mixinStandardHelpOptions = true)
final class ServeCommand implements Callable<Integer> {
  private static final Duration LOOK_EVERY = Duration.ofSeconds(1);

  @Spec private CommandSpec spec;

  @Option(
      names = "--config",
      paramLabel = "FILE",
      defaultValue = "rowcast.yaml",
      description = "the configuration (default: rowcast.yaml)")
  private Path file;

  @Option(
      names = "--state-dir",
      paramLabel = "DIR",
      defaultValue = ".rowcast/state",
      description = "where Kafka Streams keeps its stores; may be lost (default: .rowcast/state)")
  private Path stateDir;

  @Override
  public Integer call() throws InterruptedException {
    byte[] content = Reloader.content(file); // before it is read: no change falls in between
    Optional<Configuration> configuration =
        ConfigurationFile.read(file, spec.commandLine().getErr());
    if (configuration.isEmpty()) {
      return Rowcast.USAGE;
    }
    Foreground foreground = new Foreground();
    try {
      RowcastNode node = RowcastNode.start(configuration.get(), stateDir, Map.of());
      Reloader reloader =
          Reloader.watch(file, content, ConfigurationFile.loader(), node, LOOK_EVERY);
      Hangup.runs(reloader::request);
      AutoCloseable both =
          () -> {
            reloader.close();
            node.close();
          };
      return foreground.run(both, () -> greet(node));
    } catch (CannotListenException e) {
      spec.commandLine()
          .getErr()
          .println(
              "rowcast serve: "
                  + file
                  + ": server.port: "
                  + e.getMessage()
                  + " (expected: a free port; choose another server.port, or 0 for any)");
      return 1;
    } catch (ProblemException e) {
      spec.commandLine().getErr().println("rowcast serve: " + e.problem().detail());
      return 1;
    }
  }

  private void greet(RowcastNode node) {
    spec.commandLine().getOut().println("Rowcast serves on port " + node.port());
    spec.commandLine().getOut().flush();
  }
}
