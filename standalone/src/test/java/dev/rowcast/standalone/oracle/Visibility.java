package dev.rowcast.standalone.oracle;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a reader may see.
 *
 * @param tenant whose rows only; null for all
 * @param columns which columns only; null for all
 */
record Visibility(@Nullable String tenant, @Nullable Set<String> columns) {

  boolean sees(Change change) {
    return change.row() == null
        || tenant == null
        || tenant.equals(change.row().path("tenant").asText());
  }

  String text(String op, JsonNode key, @Nullable JsonNode row, List<String> changed) {
    JsonNode shown = row;
    List<String> names = changed;
    if (columns != null) {
      if (row instanceof ObjectNode object) {
        shown = object.deepCopy().retain(columns);
      }
      names = changed.stream().filter(columns::contains).toList();
    }
    return op + " " + key + " " + shown + " " + names;
  }
}
