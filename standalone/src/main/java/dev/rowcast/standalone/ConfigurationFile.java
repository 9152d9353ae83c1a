package dev.rowcast.standalone;

import dev.rowcast.config.Configuration;
import dev.rowcast.config.ConfigurationLoader;
import dev.rowcast.config.InvalidConfigurationException;
import dev.rowcast.config.LoadedConfiguration;
import dev.rowcast.policy.InvalidRuleException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Optional;

/** Reads {@code rowcast.yaml} for a command and says what is wrong with it. */
final class ConfigurationFile {
  private ConfigurationFile() {}

  /** The configuration; empty where it can't be used, and {@code err} says why. */
  static Optional<Configuration> read(Path file, PrintWriter err) {
    try {
      LoadedConfiguration loaded = new ConfigurationLoader().load(file);
      loaded.warnings().forEach(warning -> err.println("warning: " + warning));
      Policies.check(loaded.configuration());
      return Optional.of(loaded.configuration());
    } catch (InvalidConfigurationException e) {
      e.faults().forEach(err::println);
      err.println(e.faults().size() + (e.faults().size() == 1 ? " fault" : " faults"));
    } catch (InvalidRuleException e) {
      err.println(file + ": " + e.getMessage());
    }
    return Optional.empty();
  }
}
