package dev.rowcast.standalone.oracle;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What a reader must have seen, given what was committed. */
final class Model {
  /** Reads numbers with every digit and the scale. */
  static final ObjectMapper JSON =
      JsonMapper.builder()
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
          .build();

  private Model() {}

  /** The committed changes that somebody sees, by key, each as one comparable text. */
  static Map<String, List<String>> expected(Collection<Change> committed, Visibility visibility) {
    Map<String, List<Change>> byKey = new TreeMap<>();
    for (Change change : committed) {
      byKey.computeIfAbsent(change.key().toString(), k -> new ArrayList<>()).add(change);
    }
    Map<String, List<String>> seen = new TreeMap<>();
    byKey.forEach(
        (key, changes) -> {
          changes.sort(Comparator.comparingLong(Change::order));
          List<String> texts = new ArrayList<>();
          JsonNode before = null;
          for (Change change : changes) {
            if (visibility.sees(change)) {
              texts.add(
                  visibility.text(
                      change.op(), change.key(), change.row(), changed(change, before)));
            }
            before = change.row();
          }
          if (!texts.isEmpty()) {
            seen.put(key, texts);
          }
        });
    return seen;
  }

  /**
   * What a reader collected, in the same form; {@code at} is left out: the model doesn't know it.
   */
  static Map<String, List<String>> observed(Collection<JsonNode> events, Visibility visibility) {
    Map<String, List<String>> seen = new TreeMap<>();
    for (JsonNode event : events) {
      JsonNode key = event.get("rowKey");
      List<String> changed = new ArrayList<>();
      event.get("changedColumns").forEach(column -> changed.add(column.asText()));
      changed.remove("at");
      JsonNode row = event.get("data");
      if (row instanceof ObjectNode object) {
        row = object.deepCopy().without("at");
      }
      seen.computeIfAbsent(key.toString(), k -> new ArrayList<>())
          .add(visibility.text(event.get("op").asText(), key, row, changed));
    }
    return seen;
  }

  private static List<String> changed(Change change, @Nullable JsonNode before) {
    List<String> changed = new ArrayList<>();
    if (change.op().equals("update") && change.row() != null && before != null) {
      for (Iterator<String> names = change.row().fieldNames(); names.hasNext(); ) {
        String name = names.next();
        if (!change.row().get(name).equals(before.get(name))) {
          changed.add(name);
        }
      }
    }
    return changed;
  }

  static void assertSame(
      String reader, Map<String, List<String>> expected, Map<String, List<String>> observed) {
    for (Map.Entry<String, List<String>> key : expected.entrySet()) {
      assertEquals(
          String.join("\n", key.getValue()),
          String.join("\n", observed.getOrDefault(key.getKey(), List.of())),
          reader + ", key " + key.getKey());
    }
    assertEquals(expected.keySet(), observed.keySet(), reader);
  }
}
