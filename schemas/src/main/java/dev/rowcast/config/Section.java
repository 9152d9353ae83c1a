package dev.rowcast.config;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * One mapping of the file while it is read. Whoever reads asks for every key it knows, whatever the
 * answers; then {@link #end()} tells the keys that nobody asked for. An answer is null where the
 * key is absent, and where its value is faulty: the fault is told then. Not thread-safe.
 */
final class Section {
  private final Yaml.Mapping mapping;
  private final Faults faults;
  private final Set<String> asked = new LinkedHashSet<>();
  private final Set<String> refused = new HashSet<>();

  Section(Yaml.Mapping mapping, Faults faults) {
    this.mapping = mapping;
    this.faults = faults;
  }

  Place place() {
    return mapping.place();
  }

  /** Where the value of {@code key} stands, or would stand. */
  Place placeOf(String key) {
    Yaml.Member member = mapping.members().get(key);
    return member == null ? place().missing(key) : member.value().place();
  }

  /** Whether the file has something there, were it faulty. */
  boolean has(String key) {
    return find(key) != null;
  }

  @Nullable String text(String key) {
    Yaml value = find(key);
    if (value instanceof Yaml.Scalar scalar && scalar.isText()) {
      return scalar.text();
    }
    if (value instanceof Yaml.Scalar) {
      wrongType(value, "a text: put it in quotes");
    } else if (value != null) {
      wrongType(value, "a text");
    }
    return null;
  }

  /** A text that must be there and not be empty. */
  @Nullable String required(String key, String expected) {
    String text = text(key);
    if (!has(key)) {
      faults.missing(place(), key, expected);
    } else if (text != null && text.isBlank()) {
      faults.add(placeOf(key), "empty", expected);
      return null;
    }
    return text;
  }

  /** A text of a certain form; not for secrets, as the fault shows it. */
  @Nullable String text(String key, Pattern form, String expected) {
    String text = text(key);
    if (text != null && !form.matcher(text).matches()) {
      faults.add(placeOf(key), "'" + text + "'", expected);
      return null;
    }
    return text;
  }

  /** A single value of any kind, {@code null} included, which is otherwise as good as absent. */
  Yaml.@Nullable Scalar scalar(String key) {
    asked.add(key);
    Yaml.Member member = mapping.members().get(key);
    if (member == null || member.value() instanceof Yaml.Faulty) {
      return null;
    }
    if (member.value() instanceof Yaml.Scalar scalar) {
      return scalar;
    }
    wrongType(member.value(), "a single value");
    return null;
  }

  int number(String key, int absent, int min, int max) {
    Yaml value = find(key);
    if (value instanceof Yaml.Scalar scalar && scalar.kind() == Yaml.ScalarKind.INTEGER) {
      String text = scalar.text();
      long number = text.length() > 15 ? Long.MAX_VALUE : Long.parseLong(text);
      if (number >= min && number <= max) {
        return (int) number;
      }
      faults.add(value.place(), text, min + " to " + max);
    } else if (value != null) {
      wrongType(value, "a whole number, " + min + " to " + max);
    }
    return absent;
  }

  boolean flag(String key, boolean absent) {
    Yaml value = find(key);
    if (value instanceof Yaml.Scalar scalar && scalar.kind() == Yaml.ScalarKind.BOOLEAN) {
      return scalar.text().toLowerCase(Locale.ROOT).equals("true");
    }
    if (value != null) {
      wrongType(value, "true or false");
    }
    return absent;
  }

  Duration duration(String key, Duration absent, Duration min, Duration max) {
    Yaml value = find(key);
    if (value instanceof Yaml.Scalar scalar) {
      Duration duration = Durations.parse(scalar.text()).orElse(null);
      if (duration == null) {
        faults.add(value.place(), "'" + scalar.text() + "'", "a duration " + Durations.FORM);
      } else if (duration.compareTo(min) < 0 || duration.compareTo(max) > 0) {
        String range = Durations.format(min) + " to " + Durations.format(max);
        faults.add(value.place(), "'" + scalar.text() + "'", range);
      } else {
        return duration;
      }
    } else if (value != null) {
      wrongType(value, "a duration " + Durations.FORM);
    }
    return absent;
  }

  /** One of an enum's constants, written in lower case with {@code -} for {@code _}. */
  <E extends Enum<E>> @Nullable E choice(String key, String what, Class<E> type) {
    Map<String, E> known = new LinkedHashMap<>();
    for (E constant : type.getEnumConstants()) {
      known.put(constant.name().toLowerCase(Locale.ROOT).replace('_', '-'), constant);
    }
    Yaml.Scalar scalar = scalar(key);
    // the text as it stands: null and off are words here, whatever YAML makes of them
    if (scalar == null || (scalar.isNull() && !known.containsKey(scalar.text()))) {
      return null;
    }
    E constant = known.get(scalar.text());
    if (constant == null) {
      faults.unknown(scalar.place(), what, scalar.text(), known.keySet());
    }
    return constant;
  }

  /** A name that must be among {@code known}. */
  @Nullable String reference(String key, String what, Set<String> known) {
    return known(text(key), placeOf(key), what, known);
  }

  private @Nullable String known(
      @Nullable String name, Place place, String what, Set<String> known) {
    if (name != null && !known.contains(name)) {
      faults.unknown(place, what, name, known);
      return null;
    }
    return name;
  }

  /** Names that must be among {@code known}; null where the key is absent. */
  @Nullable List<String> references(String key, String what, Set<String> known) {
    List<String> names = new ArrayList<>();
    for (Yaml.Scalar item : scalars(key)) {
      String name = known(item.text(), item.place(), what, known);
      if (name != null) {
        names.add(name);
      }
    }
    return has(key) ? List.copyOf(names) : null;
  }

  /** A list of different texts; empty where the key is absent. */
  List<String> texts(String key) {
    return scalars(key).stream().map(Yaml.Scalar::text).toList();
  }

  /** The items of a list of different, non-empty texts. */
  List<Yaml.Scalar> scalars(String key) {
    List<Yaml.Scalar> texts = new ArrayList<>();
    Set<String> seen = new LinkedHashSet<>();
    for (Yaml item : items(key, "a list of texts")) {
      if (!(item instanceof Yaml.Scalar scalar) || !scalar.isText()) {
        wrongType(item, "a text");
      } else if (scalar.text().isBlank()) {
        faults.add(item.place(), "empty", "a text");
      } else if (!seen.add(scalar.text())) {
        faults.add(item.place(), "'" + scalar.text() + "' again", "each once");
      } else {
        texts.add(scalar);
      }
    }
    return texts;
  }

  /** The mapping there; null where there is none. */
  @Nullable Section section(String key) {
    Yaml value = find(key);
    if (value instanceof Yaml.Mapping child) {
      return new Section(child, faults);
    }
    if (value != null) {
      wrongType(value, "a mapping");
    }
    return null;
  }

  /** The mapping there, or one without members in its place. */
  Section sectionOrEmpty(String key) {
    Section section = section(key);
    return section != null
        ? section
        : new Section(new Yaml.Mapping(place().missing(key), Map.of()), faults);
  }

  /** A list of mappings; empty where the key is absent. */
  List<Section> sections(String key) {
    List<Section> sections = new ArrayList<>();
    for (Yaml item : items(key, "a list of mappings")) {
      if (item instanceof Yaml.Mapping child) {
        sections.add(new Section(child, faults));
      } else {
        wrongType(item, "a mapping");
      }
    }
    return sections;
  }

  /** A list of mappings, or one that stands for itself; empty where the key is absent. */
  List<Section> sectionOrSections(String key) {
    return find(key) instanceof Yaml.Mapping child
        ? List.of(new Section(child, faults))
        : sections(key);
  }

  /** A list of different, non-empty texts, or one that stands for itself. */
  List<Yaml.Scalar> scalarOrScalars(String key) {
    if (!(find(key) instanceof Yaml.Scalar)) {
      return scalars(key);
    }
    String text = required(key, "a text");
    Yaml.Scalar scalar = scalar(key);
    return text == null || text.isBlank() || scalar == null ? List.of() : List.of(scalar);
  }

  /** A mapping whose keys are free and whose values are single. */
  Map<String, String> properties(String key) {
    Map<String, String> properties = new LinkedHashMap<>();
    Section section = sectionOrEmpty(key);
    for (String name : section.mapping.members().keySet()) {
      Yaml.Scalar value = section.scalar(name);
      if (value != null) {
        properties.put(name, value.isNull() ? "" : value.text());
      }
    }
    return properties;
  }

  /** Tells a key that other versions know: it isn't misspelled, and does nothing here. */
  void refuse(String key) {
    Yaml.Member member = mapping.members().get(key);
    if (member != null && refused.add(key)) {
      faults.add(member.place(), "not available in this version", "to be left out");
    }
  }

  /** Tells the keys that nobody asked for. */
  void end() {
    mapping
        .members()
        .forEach(
            (key, member) -> {
              if (!asked.contains(key) && !refused.contains(key)) {
                faults.unknown(member.place(), "key", key, asked);
              }
            });
  }

  private List<Yaml> items(String key, String expected) {
    Yaml value = find(key);
    if (value instanceof Yaml.Sequence sequence) {
      return sequence.items();
    }
    if (value != null) {
      wrongType(value, expected);
    }
    return List.of();
  }

  private @Nullable Yaml find(String key) {
    asked.add(key);
    Yaml.Member member = mapping.members().get(key);
    if (member == null || (member.value() instanceof Yaml.Scalar scalar && scalar.isNull())) {
      return null;
    }
    return member.value();
  }

  private void wrongType(Yaml value, String expected) {
    if (!(value instanceof Yaml.Faulty)) {
      faults.add(value.place(), value.described(), expected);
    }
  }
}
