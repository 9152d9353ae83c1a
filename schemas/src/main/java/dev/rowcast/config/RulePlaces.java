package dev.rowcast.config;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Where the file's rules and masks stand. Not thread-safe. */
final class RulePlaces {
  private final Map<List<Object>, Place> places = new HashMap<>();

  /** The first one that is told counts: a second is a fault of its own. */
  void put(RuleFault.Kind kind, String tableId, String subject, Place place) {
    places.putIfAbsent(List.of(kind, tableId, subject), place);
  }

  Place of(RuleFault fault) {
    return places.getOrDefault(List.of(fault.kind(), fault.tableId(), fault.subject()), Place.FILE);
  }
}
