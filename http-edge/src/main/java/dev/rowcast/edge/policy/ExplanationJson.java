package dev.rowcast.edge.policy;

import com.fasterxml.jackson.databind.util.RawValue;
import dev.rowcast.event.EventRecord;
import dev.rowcast.event.JsonBytes;
import dev.rowcast.event.JsonObject;
import dev.rowcast.frame.EventRenderer;
import dev.rowcast.frame.Frames;
import dev.rowcast.policy.ColumnRules;
import dev.rowcast.policy.Identity;
import dev.rowcast.policy.Mask;
import dev.rowcast.policy.explain.Explanation;
import dev.rowcast.policy.explain.Explanation.ColumnFate;
import dev.rowcast.policy.explain.Judged;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * An explanation as JSON, with the values that whoever asked may see and no others. Stateless; one
 * per answer.
 */
final class ExplanationJson {
  private final EventRecord event;
  private final ColumnRules asker;

  /**
   * @param asker which columns the one who asked sees, and how
   */
  ExplanationJson(EventRecord event, ColumnRules asker) {
    this.event = event;
    this.asker = asker;
  }

  /**
   * The members of an answer.
   *
   * @param reader whose rights are explained
   * @param rules what the reader sees of columns
   */
  Map<String, Object> of(Explanation explanation, Identity reader, ColumnRules rules) {
    Map<String, Object> object = new LinkedHashMap<>();
    object.put("event", rendered(asker));
    Map<String, Object> who = new LinkedHashMap<>();
    who.put("role", reader.role());
    who.put("subject", reader.subject());
    object.put("reader", who);
    object.put("visible", explanation.visible());
    object.put("access", explanation.access().wire());
    object.put("reason", explanation.reason(event.data() == null));
    object.put("rules", explanation.rules().stream().map(this::rule).toList());
    object.put("columns", explanation.columns().stream().map(ExplanationJson::column).toList());
    if (explanation.visible()) {
      ColumnRules shown = rules.limitedTo(asker);
      object.put("seen", rendered(shown));
      object.put("redacted", redacted(rules, shown));
    }
    return object;
  }

  private RawValue rendered(ColumnRules rules) {
    return raw(Frames.json(new EventRenderer(rules, List.of(), false), event, false));
  }

  private static RawValue raw(byte[] json) {
    return new RawValue(new String(json, StandardCharsets.UTF_8));
  }

  private Map<String, Object> rule(Explanation.Rule rule) {
    Map<String, Object> object = new LinkedHashMap<>();
    object.put("role", rule.role());
    object.put("inherited", rule.inherited());
    object.putAll(judged(rule.judged()));
    Map<String, Object> values = new LinkedHashMap<>();
    List<String> withheld = new ArrayList<>();
    JsonObject row = event.data();
    for (String column : rule.columns()) {
      int i = row == null ? -1 : row.find(column);
      if (row != null && i >= 0) {
        if (asker.shows(column)) {
          values.put(column, value(row, i, asker.masks().get(column)));
        } else {
          withheld.add(column);
        }
      }
    }
    object.put("values", values);
    object.put("withheld", withheld);
    object.put("claims", new TreeMap<>(rule.claims()));
    return object;
  }

  private static RawValue value(JsonObject row, int i, @Nullable Mask mask) {
    JsonBytes out = new JsonBytes(32);
    if (mask == null) {
      out.raw(row.bytes(), row.valueStart(i), row.valueEnd(i) - row.valueStart(i));
    } else {
      mask.write(row, i, out);
    }
    return raw(out.toByteArray());
  }

  private static Map<String, Object> judged(Judged judged) {
    Map<String, Object> object = new LinkedHashMap<>();
    object.put("filter", judged.sql());
    object.put("outcome", judged.outcome().wire());
    if (judged.problem() != null) {
      object.put("problem", judged.problem());
    }
    if (!judged.parts().isEmpty()) {
      object.put("parts", judged.parts().stream().map(ExplanationJson::judged).toList());
    }
    return object;
  }

  private static Map<String, Object> column(ColumnFate column) {
    Map<String, Object> object = new LinkedHashMap<>();
    object.put("name", column.name());
    object.put("fate", column.fate().wire());
    if (column.mask() != null) {
      object.put("mask", column.mask());
    }
    return object;
  }

  /** The columns that the reader gets and the one who asked isn't shown. */
  private List<String> redacted(ColumnRules reader, ColumnRules shown) {
    JsonObject row = event.data() == null ? event.rowKey() : event.data();
    return row.names().stream()
        .filter(column -> reader.shows(column) && !shown.shows(column))
        .toList();
  }
}
