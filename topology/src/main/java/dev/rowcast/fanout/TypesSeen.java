package dev.rowcast.fanout;

import dev.rowcast.catalog.Catalog;
import dev.rowcast.event.TableId;
import dev.rowcast.source.TableDescriptor;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Tells whether the catalog says something else of the tables that an access depends on: the table
 * itself and those that rules look rows up in. Thread-safe.
 */
final class TypesSeen {
  private final Catalog catalog;
  private final List<TableId> lookedUp;

  TypesSeen(Catalog catalog, Set<TableId> lookedUp) {
    this.catalog = catalog;
    this.lookedUp = List.copyOf(lookedUp);
  }

  /**
   * What the catalog said.
   *
   * @param descriptors of the table and of those looked up, null where it knew none
   */
  record Of(TableId table, List<@Nullable TableDescriptor> descriptors) {}

  Of of(TableId table) {
    List<@Nullable TableDescriptor> descriptors = new ArrayList<>();
    descriptors.add(catalog.table(table).orElse(null));
    lookedUp.forEach(other -> descriptors.add(catalog.table(other).orElse(null)));
    return new Of(table, descriptors);
  }

  boolean differ(Of seen) {
    if (!same(seen.descriptors().get(0), seen.table())) {
      return true;
    }
    for (int i = 0; i < lookedUp.size(); i++) {
      if (!same(seen.descriptors().get(i + 1), lookedUp.get(i))) {
        return true;
      }
    }
    return false;
  }

  @SuppressWarnings("ReferenceEquality") // a short cut: a catalog answers with the same one
  private boolean same(@Nullable TableDescriptor one, TableId table) {
    TableDescriptor other = catalog.table(table).orElse(null);
    return one == other || (one != null && one.equals(other));
  }
}
