package dev.rowcast.policy;

import dev.rowcast.policy.RowFilter.ColumnEquals;
import dev.rowcast.policy.RowFilter.Everything;
import dev.rowcast.policy.RowFilter.Nothing;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A rule as it was loaded: a {@link RowFilter} once an identity's claims are known. Immutable. */
sealed interface Predicate {

  /**
   * The filter for an identity; closed where it lacks a claim.
   *
   * @param missing told once where a claim is absent or not a single value
   */
  RowFilter bind(Identity identity, Runnable missing);

  /** {@code true} or {@code false}. */
  record Always(boolean visible) implements Predicate {
    @Override
    public RowFilter bind(Identity identity, Runnable missing) {
      return visible ? new Everything() : new Nothing();
    }
  }

  /** {@code column = operand}. */
  record Equals(String column, Operand operand) implements Predicate {
    @Override
    public RowFilter bind(Identity identity, Runnable missing) {
      Scalar value = operand.value(identity);
      if (value == null) {
        missing.run();
        return new Nothing();
      }
      return new ColumnEquals(column, value);
    }
  }

  /** What a column is compared with. */
  sealed interface Operand {
    /** Its value for an identity; null where there is none. */
    @Nullable Scalar value(Identity identity);
  }

  /** A value that stands in the rule. */
  record Literal(Scalar scalar) implements Operand {
    @Override
    public Scalar value(Identity identity) {
      return scalar;
    }
  }

  /** {@code :name}: a claim with its own type; {@code :sub} and {@code :role} are always there. */
  record Claim(String name) implements Operand {
    @Override
    public @Nullable Scalar value(Identity identity) {
      return claim(identity, name);
    }
  }

  /**
   * {@code current_setting('…')}: the first claim there is of {@code names}, as text, which is what
   * a setting is in PostgreSQL.
   */
  record Setting(List<String> names) implements Operand {
    static final String PREFIX = "provisa.";
    static final String USER = "user_";

    /** The claims that a setting may stand for: exact, without PREFIX, then without USER. */
    static Setting of(String setting) {
      String bare = setting.startsWith(PREFIX) ? setting.substring(PREFIX.length()) : setting;
      String shortest = bare.startsWith(USER) ? bare.substring(USER.length()) : bare;
      return new Setting(List.of(setting, bare, shortest).stream().distinct().toList());
    }

    @Override
    public @Nullable Scalar value(Identity identity) {
      for (String name : names) {
        if (known(identity, name)) {
          Scalar value = claim(identity, name);
          return value == null ? null : new Scalar.Text(text(value));
        }
      }
      return null;
    }

    private static String text(Scalar value) {
      if (value instanceof Scalar.Text text) {
        return text.value();
      }
      return value instanceof Scalar.Numeric number
          ? number.value().toPlainString()
          : Boolean.toString(((Scalar.Bool) value).value());
    }
  }

  private static boolean known(Identity identity, String name) {
    return name.equals("sub") || name.equals("role") || identity.claims().containsKey(name);
  }

  private static @Nullable Scalar claim(Identity identity, String name) {
    return switch (name) {
      case "sub" -> new Scalar.Text(identity.subject());
      case "role" -> new Scalar.Text(identity.role());
      default -> Scalar.ofClaim(identity.claims().get(name));
    };
  }
}
