package dev.rowcast.standalone;

import dev.rowcast.config.Configuration;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code rowcast validate}. */
@Command(
    name = "validate",
    description = "Checks a configuration and names file, line and mend of each fault.",
    mixinStandardHelpOptions = true)
final class ValidateCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Option(
      names = "--config",
      paramLabel = "FILE",
      defaultValue = "rowcast.yaml",
      description = "the configuration (default: rowcast.yaml)")
  private Path file;

  @Override
  public Integer call() {
    PrintWriter err = spec.commandLine().getErr();
    Optional<Configuration> configuration = ConfigurationFile.read(file, err);
    if (configuration.isEmpty()) {
      return Rowcast.USAGE;
    }
    spec.commandLine()
        .getOut()
        .printf(
            "%s: valid, %d tables of %d sources%n",
            file, configuration.get().tables().size(), configuration.get().sources().size());
    spec.commandLine().getOut().flush();
    return 0;
  }
}
