package dev.rowcast.config;

import java.util.List;
import java.util.Map;

/** A YAML document as a tree that remembers where each part stands. */
sealed interface Yaml {
  Place place();

  /** What it is, for messages. */
  String described();

  /** Members in the order of the file, each key once. */
  record Mapping(Place place, Map<String, Member> members) implements Yaml {
    @Override
    public String described() {
      return "a mapping";
    }
  }

  /**
   * A key with its value.
   *
   * @param place the key's
   */
  record Member(Place place, Yaml value) {}

  /** A list. */
  record Sequence(Place place, List<Yaml> items) implements Yaml {
    @Override
    public String described() {
      return "a list";
    }
  }

  /**
   * A single value.
   *
   * @param text as in the file, environment variables replaced
   * @param kind what YAML's core schema makes of the text
   * @param replaced whether a part of it came from the environment; such a value passes for a text
   *     as well as for what it looks like, quoted or not: flow mappings need quotes around {@code
   *     ${…}}, and nobody can put some inside a variable
   */
  record Scalar(Place place, String text, ScalarKind kind, boolean replaced) implements Yaml {
    boolean isText() {
      return kind == ScalarKind.TEXT || replaced;
    }

    boolean isNull() {
      return kind == ScalarKind.NULL && !replaced;
    }

    @Override
    public String described() {
      return kind.described;
    }
  }

  /** A part whose fault has been told already: whoever meets it says no more. */
  record Faulty(Place place) implements Yaml {
    @Override
    public String described() {
      return "faulty";
    }
  }

  /** What a plain scalar is in YAML 1.2's core schema; whatever is quoted is a text. */
  enum ScalarKind {
    TEXT("a text", ""),
    NULL("nothing", "|~|null|Null|NULL"),
    BOOLEAN("true or false", "true|True|TRUE|false|False|FALSE"),
    INTEGER("a number", "[-+]?[0-9]+"),
    DECIMAL("a number", "[-+]?(\\.[0-9]+|[0-9]+(\\.[0-9]*)?)([eE][-+]?[0-9]+)?");

    private final String described;
    private final String form;

    ScalarKind(String described, String form) {
      this.described = described;
      this.form = form;
    }

    static ScalarKind ofPlain(String text) {
      for (ScalarKind kind : values()) {
        if (kind != TEXT && text.length() <= 100 && text.matches(kind.form)) {
          return kind;
        }
      }
      return TEXT;
    }
  }
}
