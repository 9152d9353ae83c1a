package dev.rowcast.standalone;

import dev.rowcast.config.Configuration;
import dev.rowcast.config.ConfigurationLoader;
import dev.rowcast.config.Fault;
import dev.rowcast.config.InvalidConfigurationException;
import dev.rowcast.config.LoadedConfiguration;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Reads {@code rowcast.yaml} for a command and says what is wrong with it. */
final class ConfigurationFile {
  private ConfigurationFile() {}

  /** One who has rules and masks compiled, too. */
  static ConfigurationLoader loader() {
    return new ConfigurationLoader().checking(Policies::faults);
  }

  /** The configuration; empty where it can't be used, and {@code err} says why. */
  static Optional<Configuration> read(Path file, PrintWriter err) {
    try {
      LoadedConfiguration loaded = loader().load(file);
      loaded.warnings().forEach(warning -> err.println(line(warning, true)));
      return Optional.of(loaded.configuration());
    } catch (InvalidConfigurationException e) {
      List<Fault> all = new ArrayList<>(e.faults());
      all.addAll(e.warnings());
      all.sort(Comparator.comparingInt(Fault::line).thenComparingInt(Fault::column));
      all.forEach(fault -> err.println(line(fault, e.warnings().contains(fault))));
      err.println(e.faults().size() + (e.faults().size() == 1 ? " fault" : " faults"));
    }
    return Optional.empty();
  }

  private static String line(Fault fault, boolean warning) {
    return warning ? "warning: " + fault : fault.toString();
  }
}
