package dev.rowcast.config;

import dev.rowcast.config.TableConfig.ColumnConfig;
import dev.rowcast.config.TableConfig.MaskConfig;
import dev.rowcast.config.TableConfig.MaskType;
import dev.rowcast.event.ColumnType;
import dev.rowcast.event.JsonBytes;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.jspecify.annotations.Nullable;

/** Reads {@code columns} of a table. */
final class ColumnReader {
  private static final Pattern JSON_NUMBER =
      Pattern.compile("-?(0|[1-9][0-9]*)(\\.[0-9]+)?([eE][-+]?[0-9]+)?");
  private static final Pattern PRECISION =
      Pattern.compile(
          "microsecond|millisecond|second|minute|hour|day|week|month|quarter|year"
              + "|[1-9][0-9]{0,8}");
  private static final Set<ColumnType> NUMBERS =
      Set.of(
          ColumnType.Scalar.SMALLINT,
          ColumnType.Scalar.INTEGER,
          ColumnType.Scalar.BIGINT,
          ColumnType.Scalar.DECIMAL,
          ColumnType.Scalar.REAL,
          ColumnType.Scalar.DOUBLE);

  private final Set<String> roles;
  private final Faults faults;

  ColumnReader(Set<String> roles, Faults faults) {
    this.roles = roles;
    this.faults = faults;
  }

  /**
   * @param masked told the column and the place of each mask
   */
  List<ColumnConfig> read(List<Section> sections, BiConsumer<String, Place> masked) {
    List<ColumnConfig> columns = new ArrayList<>();
    Set<String> names = new HashSet<>();
    for (Section section : sections) {
      String name = section.required("name", "the column's name");
      String dataType = section.text("data_type");
      List<String> visibleTo = section.references("visible_to", "role", roles);
      MaskConfig mask = mask(section, dataType);
      section.end();
      if (name != null && !names.add(name)) {
        faults.add(section.placeOf("name"), "column '" + name + "' again", "each column once");
      } else if (name != null) {
        columns.add(new ColumnConfig(name, dataType, visibleTo, mask));
        if (mask != null) {
          masked.accept(name, section.placeOf(section.has("mask") ? "mask" : "mask_type"));
        }
      }
    }
    return columns;
  }

  /** Either {@code mask: {type, …}} or {@code mask_type} and so on beside the name. */
  private @Nullable MaskConfig mask(Section column, @Nullable String dataType) {
    Section nested = column.section("mask");
    MaskConfig flat = mask(column, "mask_", dataType, nested == null && !column.has("mask"));
    if (nested == null) {
      return flat;
    }
    MaskConfig mask = mask(nested, "", dataType, true);
    if (mask == null && !nested.has("type")) {
      faults.missing(nested.place(), "type", "regex, constant, null, hash or truncate");
    }
    nested.end();
    return mask;
  }

  private @Nullable MaskConfig mask(
      Section section, String prefix, @Nullable String dataType, boolean only) {
    MaskType type = section.choice(prefix + "type", "mask type", MaskType.class);
    String pattern = section.text(prefix + "pattern");
    String replace = section.text(prefix + "replace");
    Yaml.Scalar value = section.scalar(prefix + "value");
    Yaml.Scalar precision = section.scalar(prefix + "precision");
    List<String> unmaskedTo = section.references("unmasked_to", "role", roles);
    boolean typed = type != null || section.has(prefix + "type");
    for (String key : List.of("pattern", "replace", "value", "precision")) {
      if (section.has(prefix + key) && (!only || !typed || !uses(type, key))) {
        String expected = prefix + "type: " + owner(key);
        faults.add(section.placeOf(prefix + key), "of no use here", only ? expected : "mask alone");
      }
    }
    if (unmaskedTo != null && !typed && prefix.equals("mask_")) {
      faults.add(
          section.placeOf("unmasked_to"),
          "of no use without a mask",
          only ? "mask_type beside it" : "unmasked_to inside mask");
    }
    if (typed && !only) {
      faults.add(section.placeOf(prefix + "type"), "beside mask", "mask alone");
    }
    if (type == null) {
      return null;
    }
    boolean complete = complete(section, prefix, type, pattern, value, precision);
    return !complete
        ? null
        : new MaskConfig(
            type,
            pattern,
            replace,
            type == MaskType.CONSTANT && value != null ? json(value, dataType) : null,
            precision == null ? null : precision.text(),
            unmaskedTo == null ? List.of() : unmaskedTo);
  }

  private static boolean uses(@Nullable MaskType type, String key) {
    return type == null || type.name().toLowerCase(Locale.ROOT).equals(owner(key));
  }

  private static String owner(String key) {
    return switch (key) {
      case "pattern", "replace" -> "regex";
      case "value" -> "constant";
      default -> "truncate";
    };
  }

  private boolean complete(
      Section section,
      String prefix,
      MaskType type,
      @Nullable String pattern,
      Yaml.@Nullable Scalar value,
      Yaml.@Nullable Scalar precision) {
    return switch (type) {
      case REGEX -> {
        boolean replaces = section.required(prefix + "pattern", "a regular expression") != null;
        if (!section.has(prefix + "replace")) {
          faults.missing(section.place(), prefix + "replace", "the text in its place");
        }
        yield replaces && pattern != null && compiles(section.placeOf(prefix + "pattern"), pattern);
      }
      case CONSTANT -> {
        if (value == null && !section.has(prefix + "value")) {
          faults.missing(section.place(), prefix + "value", "what is shown, null included");
        }
        yield value != null;
      }
      case TRUNCATE -> {
        if (precision == null || precision.isNull()) {
          faults.missing(
              section.place(), prefix + "precision", "a unit such as month, or a length");
        } else if (!PRECISION.matcher(precision.text()).matches()) {
          faults.add(
              precision.place(), "'" + precision.text() + "'", "a unit such as month, or a length");
        }
        yield true;
      }
      case NULL, HASH -> true;
    };
  }

  private boolean compiles(Place place, String pattern) {
    try {
      Pattern.compile(pattern);
      return true;
    } catch (PatternSyntaxException e) {
      faults.add(place, e.getDescription() + " near index " + e.getIndex(), "a regular expression");
      return false;
    }
  }

  /** The constant as JSON; {@code "0"} is a number where the column holds numbers. */
  private static String json(Yaml.Scalar value, @Nullable String dataType) {
    boolean number = dataType != null && NUMBERS.contains(ColumnType.ofSqlName(dataType));
    boolean plainNumber =
        value.kind() == Yaml.ScalarKind.INTEGER || value.kind() == Yaml.ScalarKind.DECIMAL;
    if (value.isNull()) {
      return "null";
    }
    if (value.kind() == Yaml.ScalarKind.BOOLEAN) {
      return value.text().toLowerCase(Locale.ROOT);
    }
    if ((number || plainNumber) && JSON_NUMBER.matcher(value.text()).matches()) {
      return value.text();
    }
    byte[] text = new JsonBytes(value.text().length() + 2).string(value.text()).toByteArray();
    return new String(text, StandardCharsets.UTF_8);
  }
}
