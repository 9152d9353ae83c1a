package dev.rowcast.config;

import dev.rowcast.config.TableConfig.ColumnConfig;
import dev.rowcast.config.TableConfig.LiveConfig;
import dev.rowcast.event.TableId;
import dev.rowcast.source.Strategy;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads {@code tables}, wherever they stand, and gathers them. Not thread-safe. */
final class TableReader {
  private final Map<String, @Nullable SourceConfig> sources;
  private final Faults faults;
  private final ColumnReader columnReader;
  private final LiveReader liveReader;
  private final Set<String> ids = new LinkedHashSet<>();
  private final Map<TableId, Place> names = new HashMap<>();
  private final RulePlaces places;
  private final List<TableConfig> tables = new ArrayList<>();

  /**
   * For the tables of these sources.
   *
   * @param sources every source by id; null for one that is faulty itself
   * @param places told where masks stand
   */
  TableReader(
      Map<String, @Nullable SourceConfig> sources,
      Set<String> roles,
      RulePlaces places,
      Faults faults) {
    this.sources = sources;
    this.places = places;
    this.faults = faults;
    columnReader = new ColumnReader(roles, faults);
    liveReader = new LiveReader(roles, faults);
  }

  /** The ids of all tables, those with faults included. */
  Set<String> ids() {
    return ids;
  }

  List<TableConfig> tables() {
    return tables;
  }

  /** Warns of each table that any role may read for want of a rule. */
  void warnOfUnruled(Set<String> ruled) {
    for (TableConfig table : tables) {
      if (!ruled.contains(table.id())) {
        faults.warn(
            names.getOrDefault(table.table(), Place.FILE),
            "no rule in rls_rules, so every role sees all its rows",
            "a rule per role that may read it, 'true' for all rows");
      }
    }
  }

  /** Reads a table; {@code nestedIn} is the source that it stands in, null at top level. */
  void read(Section section, @Nullable String nestedIn) {
    String id = section.text("id", Forms.TABLE_ID, Forms.TABLE_ID_EXPECTED);
    String name = section.text("table");
    if (!section.has("id") && !section.has("table")) {
      faults.missing(section.place(), "id", "an id, or table where both are the same");
    }
    id = id == null && !section.has("id") ? name : id;
    String schema = section.has("schema") ? section.text("schema") : "public";
    TableId table = table(section, schema, section.has("table") ? name : id);
    unique(section, id, table);
    String sourceId = source(section, nestedIn);
    SourceConfig source = sourceId == null ? null : sources.get(sourceId);
    List<String> keyColumns = section.texts("key_columns");
    String key = id == null ? "" : id;
    List<ColumnConfig> columns =
        columnReader.read(
            section.sections("columns"),
            (column, place) -> places.put(RuleFault.Kind.MASK, key, column, place));
    LiveConfig live = liveReader.read(section.sectionOrEmpty("live"), source);
    section.end();
    if (live != null && live.strategy() == Strategy.KAFKA && !section.has("key_columns")) {
      faults.missing(
          section.place(), "key_columns", "the columns that tell rows apart: a topic can't tell");
    }
    if (id != null && table != null && sourceId != null && live != null) {
      tables.add(new TableConfig(id, sourceId, table, keyColumns, columns, live));
    }
  }

  private @Nullable TableId table(Section section, @Nullable String schema, @Nullable String name) {
    for (String key : List.of("schema", "table")) {
      String text = section.text(key);
      if (text != null && text.isBlank()) {
        faults.add(section.placeOf(key), "empty", "a name");
        return null;
      }
    }
    return schema == null || name == null ? null : new TableId(schema, name);
  }

  private void unique(Section section, @Nullable String id, @Nullable TableId table) {
    if (id != null && !ids.add(id)) {
      Place place = section.has("id") ? section.placeOf("id") : section.place();
      faults.add(place, "table id '" + id + "' again", "an id of its own");
    }
    Place first = table == null ? null : names.putIfAbsent(table, section.place());
    if (first != null) {
      faults.add(
          section.place(),
          "table " + table + " again, first on line " + first.line(),
          "each schema and table once, across all sources");
    }
  }

  private @Nullable String source(Section section, @Nullable String nestedIn) {
    String named = section.reference("source_id", "source_id", sources.keySet());
    if (nestedIn == null) {
      if (!section.has("source_id")) {
        faults.missing(
            section.place(),
            "source_id",
            "the id of a source: " + String.join(", ", sources.keySet()));
      }
      return named;
    }
    if (named != null && !named.equals(nestedIn)) {
      faults.add(
          section.placeOf("source_id"),
          "'" + named + "' inside source '" + nestedIn + "'",
          "to be left out here");
    }
    return nestedIn;
  }
}
