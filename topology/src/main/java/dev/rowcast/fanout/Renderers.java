package dev.rowcast.fanout;

import dev.rowcast.event.Column;
import dev.rowcast.event.TableId;
import dev.rowcast.frame.EventRenderer;
import dev.rowcast.policy.ColumnRules;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * One renderer for all audiences that see a table's columns alike, however much their rows differ:
 * what one made of an event the others can have too. Thread-safe.
 */
final class Renderers {
  // forgotten beyond that: rules can come from scopes, and scopes from anywhere
  private static final int MOST = 10_000;

  private final Map<Key, EventRenderer> renderers = new ConcurrentHashMap<>();

  private record Key(
      TableId table, ColumnRules rules, List<Column> columns, boolean stringNumbers) {}

  EventRenderer of(TableId table, ColumnRules rules, List<Column> columns, boolean stringNumbers) {
    if (renderers.size() > MOST) {
      renderers.clear();
    }
    return renderers.computeIfAbsent(
        new Key(table, rules, columns, stringNumbers),
        key -> new EventRenderer(rules, columns, stringNumbers));
  }
}
