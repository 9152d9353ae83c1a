package dev.rowcast.policy.sql;

import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A predicate as it was written, before names and types are looked up. Each node knows where it
 * stands: {@code at}, in characters from 0.
 */
public sealed interface Syntax {

  int at();

  /** What it is made of. */
  default List<Syntax> parts() {
    return List.of();
  }

  /** {@code 'text'}: of no type until its surroundings give it one. */
  record Text(String value, int at) implements Syntax {}

  /** A number, with its sign. */
  record NumberLiteral(String digits, int at) implements Syntax {}

  /** {@code true} or {@code false}. */
  record Bool(boolean value, int at) implements Syntax {}

  /** {@code NULL}. */
  record Null(int at) implements Syntax {}

  /**
   * A column.
   *
   * @param qualifier the table or its alias, or schema and table; empty for none
   */
  record Column(List<String> qualifier, String name, int at) implements Syntax {}

  /** {@code :path}. */
  record Claim(String path, int at) implements Syntax {}

  /** {@code current_timestamp} and the like. */
  record Moment(Word word, int at) implements Syntax {
    /** Which. */
    public enum Word {
      CURRENT_TIMESTAMP,
      CURRENT_DATE
    }
  }

  /** {@code name(arguments)}. */
  record Call(String name, List<Syntax> arguments, int at) implements Syntax {
    @Override
    public List<Syntax> parts() {
      return arguments;
    }
  }

  /** {@code ARRAY[…]}. */
  record Array(List<Syntax> elements, int at) implements Syntax {
    @Override
    public List<Syntax> parts() {
      return elements;
    }
  }

  /** {@code -operand}. */
  record Minus(Syntax operand, int at) implements Syntax {
    @Override
    public List<Syntax> parts() {
      return List.of(operand);
    }
  }

  /** An operator between two: arithmetic, comparison, {@code ||}, {@code ->}, {@code ->>}. */
  record Binary(String operator, Syntax left, Syntax right, int at) implements Syntax {
    @Override
    public List<Syntax> parts() {
      return List.of(left, right);
    }
  }

  /** {@code left operator ANY|ALL (array)}. */
  record Quantified(String operator, boolean all, Syntax left, Syntax array, int at)
      implements Syntax {
    @Override
    public List<Syntax> parts() {
      return List.of(left, array);
    }
  }

  /** {@code a AND b AND …}, or with {@code OR}. */
  record Logical(boolean and, List<Syntax> parts, int at) implements Syntax {}

  /** {@code NOT operand}. */
  record Not(Syntax operand, int at) implements Syntax {
    @Override
    public List<Syntax> parts() {
      return List.of(operand);
    }
  }

  /** {@code operand IS …}; its negation is a {@link Not} around it. */
  record Is(Syntax operand, What what, int at) implements Syntax {
    @Override
    public List<Syntax> parts() {
      return List.of(operand);
    }

    /** What it is held against. */
    public enum What {
      NULL,
      TRUE,
      FALSE,
      UNKNOWN
    }
  }

  /** {@code left IS DISTINCT FROM right}. */
  record Distinct(Syntax left, Syntax right, int at) implements Syntax {
    @Override
    public List<Syntax> parts() {
      return List.of(left, right);
    }
  }

  /** {@code operand BETWEEN low AND high}. */
  record Between(Syntax operand, Syntax low, Syntax high, int at) implements Syntax {
    @Override
    public List<Syntax> parts() {
      return List.of(operand, low, high);
    }
  }

  /** {@code operand LIKE pattern}. */
  record Like(Syntax operand, Syntax pattern, @Nullable Syntax escape, boolean ignoresCase, int at)
      implements Syntax {
    @Override
    public List<Syntax> parts() {
      return escape == null ? List.of(operand, pattern) : List.of(operand, pattern, escape);
    }
  }

  /** {@code operand IN (list)}. */
  record In(Syntax operand, List<Syntax> list, int at) implements Syntax {
    @Override
    public List<Syntax> parts() {
      return Stream.concat(Stream.of(operand), list.stream()).toList();
    }
  }

  /** {@code operand IN (SELECT …)}. */
  record InSelect(Syntax operand, Select select, int at) implements Syntax {
    @Override
    public List<Syntax> parts() {
      return Stream.concat(Stream.of(operand), select.parts().stream()).toList();
    }
  }

  /** {@code EXISTS (SELECT …)}. */
  record Exists(Select select, int at) implements Syntax {
    @Override
    public List<Syntax> parts() {
      return select.parts();
    }
  }

  /** {@code CASE}, simple where there is an operand. */
  record Case(@Nullable Syntax operand, List<Branch> branches, @Nullable Syntax otherwise, int at)
      implements Syntax {
    @Override
    public List<Syntax> parts() {
      return Stream.of(
              Stream.ofNullable(operand),
              branches.stream().flatMap(b -> Stream.of(b.condition(), b.result())),
              Stream.ofNullable(otherwise))
          .flatMap(part -> part)
          .toList();
    }
  }

  /** {@code WHEN condition THEN result}. */
  record Branch(Syntax condition, Syntax result) {}

  /** {@code CAST(operand AS type)}, {@code operand::type} or {@code type 'literal'}. */
  record Cast(Syntax operand, TypeName type, int at) implements Syntax {
    @Override
    public List<Syntax> parts() {
      return List.of(operand);
    }
  }

  /**
   * A type's name.
   *
   * @param limits what stands in parentheses
   */
  record TypeName(String name, List<Integer> limits, boolean array, int at) {}

  /**
   * {@code SELECT item FROM table alias WHERE condition}.
   *
   * @param item null for {@code *}
   * @param alias what the table is called inside; its own name where it has no alias
   * @param where null for none
   */
  record Select(
      @Nullable Syntax item,
      @Nullable String schema,
      String table,
      String alias,
      @Nullable Syntax where,
      int at) {
    List<Syntax> parts() {
      return Stream.concat(Stream.ofNullable(item), Stream.ofNullable(where)).toList();
    }
  }
}
