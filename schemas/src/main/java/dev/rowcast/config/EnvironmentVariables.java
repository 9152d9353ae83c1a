package dev.rowcast.config;

import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Replaces {@code ${env:NAME}} and {@code ${env:NAME:-default}} in single values, after YAML was
 * read: what a variable holds can't change the file's structure. The default may be empty and may
 * not hold {@code }}.
 */
final class EnvironmentVariables {
  private static final Pattern REFERENCE = Pattern.compile("\\$\\{([^}]*)(}?)");
  private static final Pattern FORM =
      Pattern.compile("env:([A-Za-z_][A-Za-z0-9_]*)(?::-(.*))?", Pattern.DOTALL);

  private final Map<String, String> environment;
  private final Faults faults;

  EnvironmentVariables(Map<String, String> environment, Faults faults) {
    this.environment = environment;
    this.faults = faults;
  }

  static boolean occurIn(String text) {
    return text.contains("${");
  }

  /** The text with every reference replaced; null where one can't be, and the fault is told. */
  @Nullable String replace(String text, Place place) {
    StringBuilder replaced = new StringBuilder();
    boolean faulty = false;
    Matcher reference = REFERENCE.matcher(text);
    while (reference.find()) {
      String value = reference.group(2).isEmpty() ? null : value(reference.group(1), place);
      if (reference.group(2).isEmpty()) {
        faults.add(place, "'${' without '}'", "${env:NAME} or ${env:NAME:-default}");
      }
      faulty |= value == null;
      reference.appendReplacement(replaced, Matcher.quoteReplacement(value == null ? "" : value));
    }
    return faulty ? null : reference.appendTail(replaced).toString();
  }

  private @Nullable String value(String inside, Place place) {
    Matcher form = FORM.matcher(inside);
    if (!form.matches()) {
      // not shown: it may be part of a password
      faults.add(place, "'${…}' isn't understood", "${env:NAME} or ${env:NAME:-default}");
      return null;
    }
    String name = form.group(1);
    String value = environment.get(name);
    // as in a shell, :- also stands in for a variable that is set and empty
    if (form.group(2) != null && (value == null || value.isEmpty())) {
      return form.group(2);
    }
    if (value == null) {
      faults.add(
          place,
          "environment variable " + name + " is not set",
          "set it, or a default: ${env:" + name + ":-default}");
    }
    return value;
  }
}
