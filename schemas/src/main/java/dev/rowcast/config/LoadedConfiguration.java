package dev.rowcast.config;

import java.util.List;

/**
 * A configuration without faults.
 *
 * @param configuration what the file says
 * @param warnings what is allowed and yet probably not meant, in the order of the file
 */
public record LoadedConfiguration(Configuration configuration, List<Fault> warnings) {
  public LoadedConfiguration {
    warnings = List.copyOf(warnings);
  }
}
