package dev.rowcast.config;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;

/** Collects what is found in one file. Not thread-safe. */
final class Faults {
  private static final Comparator<Fault> BY_PLACE =
      Comparator.comparingInt(Fault::line).thenComparingInt(Fault::column);

  private final String file;
  private final List<Fault> faults = new ArrayList<>();
  private final List<Fault> warnings = new ArrayList<>();

  Faults(String file) {
    this.file = file;
  }

  void add(Place place, String problem, String expected) {
    faults.add(fault(place, problem, expected));
  }

  void warn(Place place, String problem, String expected) {
    warnings.add(fault(place, problem, expected));
  }

  /** What is understood, and does nothing yet: nobody is to rely on it. */
  void notActedOn(Place place, String expected) {
    warn(place, "not acted on in this version", expected);
  }

  /** A name that should be one of {@code known}, with a guess at which one was meant. */
  void unknown(Place place, String what, String name, Collection<String> known) {
    add(place, "unknown " + what + " '" + name + "'", Spelling.expected(name, known));
  }

  void missing(Place parent, String key, String expected) {
    add(parent.missing(key), "missing", expected);
  }

  boolean any() {
    return !faults.isEmpty();
  }

  List<Fault> warnings() {
    return warnings.stream().sorted(BY_PLACE).toList();
  }

  InvalidConfigurationException asException() {
    return new InvalidConfigurationException(faults.stream().sorted(BY_PLACE).toList(), warnings());
  }

  private Fault fault(Place place, String problem, String expected) {
    return new Fault(file, place.line(), place.column(), place.path(), problem, expected);
  }
}
