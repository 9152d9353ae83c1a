package dev.rowcast.catalog;

import dev.rowcast.event.TableId;
import dev.rowcast.source.SourceStatus;
import dev.rowcast.source.TableDescriptor;
import java.util.List;
import java.util.Optional;

/** What is captured now; answered from memory. Thread-safe. */
public interface Catalog {

  /** All captured tables, by schema and name. */
  List<TableDescriptor> tables();

  Optional<TableDescriptor> table(TableId table);

  /** The last word of each source, by id. */
  List<SourceStatus> sources();
}
