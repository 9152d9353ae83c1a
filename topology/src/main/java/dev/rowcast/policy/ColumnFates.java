package dev.rowcast.policy;

import static java.util.Objects.requireNonNull;

import dev.rowcast.config.TableConfig;
import dev.rowcast.config.TableConfig.ColumnConfig;
import dev.rowcast.event.JsonObject;
import dev.rowcast.policy.explain.Explanation.ColumnFate;
import dev.rowcast.policy.explain.Explanation.Fate;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Says what becomes of the columns of a row. Stateless. */
final class ColumnFates {
  private ColumnFates() {}

  /**
   * @param granted the fields that the credential is granted; null for all
   * @param config where the columns' masks stand; null for a table without configuration
   * @param rules what the role sees
   */
  static List<ColumnFate> of(
      JsonObject row,
      @Nullable Set<String> granted,
      @Nullable TableConfig config,
      ColumnRules rules) {
    List<ColumnFate> fates = new ArrayList<>();
    for (String name : row.names()) {
      if (granted != null && !granted.contains(name)) {
        fates.add(new ColumnFate(name, Fate.NOT_GRANTED, null));
      } else if (!rules.shows(name)) {
        fates.add(new ColumnFate(name, Fate.HIDDEN, null));
      } else if (rules.masks().containsKey(name)) {
        fates.add(new ColumnFate(name, Fate.MASKED, maskOf(requireNonNull(config), name)));
      } else {
        fates.add(new ColumnFate(name, Fate.SHOWN, null));
      }
    }
    return fates;
  }

  private static @Nullable String maskOf(TableConfig config, String name) {
    return config.columns().stream()
        .filter(column -> column.name().equals(name) && column.mask() != null)
        .map((ColumnConfig column) -> requireNonNull(column.mask()).type().name())
        .map(type -> type.toLowerCase(Locale.ROOT))
        .findFirst()
        .orElse(null);
  }
}
