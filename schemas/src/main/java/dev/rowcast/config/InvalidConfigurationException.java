package dev.rowcast.config;

import java.util.List;
import java.util.stream.Collectors;

/** A configuration that can't be used, with every fault that was found in it. */
public final class InvalidConfigurationException extends Exception {
  private static final long serialVersionUID = 1L;

  private final transient List<Fault> faults;
  private final transient List<Fault> warnings;

  InvalidConfigurationException(List<Fault> faults, List<Fault> warnings) {
    super(faults.stream().map(Fault::toString).collect(Collectors.joining("\n")));
    this.faults = List.copyOf(faults);
    this.warnings = List.copyOf(warnings);
  }

  /** All of them, in the order of the file; never empty. */
  public List<Fault> faults() {
    return faults;
  }

  /** As {@link LoadedConfiguration#warnings}: what is doubtful beside the faults; maybe empty. */
  public List<Fault> warnings() {
    return warnings;
  }
}
