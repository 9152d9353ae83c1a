package dev.rowcast.frame;

import dev.rowcast.event.Column;
import dev.rowcast.event.ColumnType;
import dev.rowcast.event.EventRecord;
import dev.rowcast.event.JsonBytes;
import dev.rowcast.event.JsonObject;
import dev.rowcast.event.Op;
import dev.rowcast.policy.ColumnRules;
import dev.rowcast.policy.Mask;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Writes events of one table as one kind of reader sees them: columns absent or masked, numbers as
 * asked for. Where everything is seen as it is, an event is one array copy. Thread-safe: what it
 * remembers of a table's columns is only ever replaced as a whole.
 */
public final class EventRenderer {
  private static final byte[] CHANGED = JsonObject.rawName("changedColumns");
  private static final byte[] OMITTED = JsonObject.rawName("omitted");
  private static final byte[] ACTOR = JsonObject.rawName("actor");
  private static final byte[] DATA = JsonObject.rawName("data");
  private static final byte[] ROW_KEY = JsonObject.rawName("rowKey");
  private static final byte[] OP = JsonObject.rawName("op");
  private static final Plan[] NO_PLANS = {};

  private final ColumnRules rules;
  private final boolean stringNumbers;
  private final Map<String, ColumnType> types;
  private final boolean asIs;
  private final Map<String, Plan> plans = new ConcurrentHashMap<>();
  private volatile Plan[] dataPlans = NO_PLANS;
  private volatile Plan[] keyPlans = NO_PLANS;

  /**
   * @param columns what is known of the table's columns; may be empty
   * @param stringNumbers whether 64-bit integers and decimals are told as strings; a number in a
   *     column of unknown type then is, too, so that no digit is lost
   */
  public EventRenderer(ColumnRules rules, List<Column> columns, boolean stringNumbers) {
    this.rules = rules;
    this.stringNumbers = stringNumbers;
    this.types =
        columns.stream().collect(Collectors.toMap(Column::name, Column::type, (one, two) -> two));
    this.asIs = rules.showsAll() && !stringNumbers;
  }

  /** The contract's event object. */
  public void event(EventRecord event, JsonBytes out) {
    JsonObject members = event.event();
    out.ascii("{\"id\":").number(event.id()).raw(',');
    if (asIs) {
      out.raw(members.bytes(), members.start() + 1, members.end() - members.start() - 1);
      return;
    }
    for (int i = 0; i < members.size(); i++) {
      if (i > 0) {
        out.raw(',');
      }
      int start = members.memberStart(i);
      if (members.nameIs(i, ROW_KEY)) {
        key(event, out.ascii("\"rowKey\":"));
      } else if (members.nameIs(i, DATA)) {
        data(event, out.ascii("\"data\":"));
      } else if (members.nameIs(i, ACTOR) && !rules.actor()) {
        out.ascii("\"actor\":null");
      } else if (members.nameIs(i, CHANGED) || members.nameIs(i, OMITTED)) {
        out.raw(members.bytes(), start, members.valueStart(i) - start);
        names(members, i, out);
      } else {
        out.raw(members.bytes(), start, members.valueEnd(i) - start);
      }
    }
    out.raw('}');
  }

  /** An update whose row left the reader's view, told as a delete of what it was. */
  public void left(EventRecord event, JsonBytes out) {
    JsonObject members = event.event();
    out.ascii("{\"id\":").number(event.id());
    for (int i = 0; i < members.size(); i++) {
      int start = members.memberStart(i);
      if (members.nameIs(i, ROW_KEY)) {
        key(event, out.ascii(",\"rowKey\":"));
      } else if (members.nameIs(i, OP)) {
        out.ascii(",\"op\":\"delete\"");
      } else if (members.nameIs(i, CHANGED)) {
        out.ascii(",\"changedColumns\":[]");
      } else if (members.nameIs(i, ACTOR) && !rules.actor()) {
        out.ascii(",\"actor\":null");
      } else if (!members.nameIs(i, DATA) && !members.nameIs(i, OMITTED)) {
        out.raw(',').raw(members.bytes(), start, members.valueEnd(i) - start);
      }
    }
    out.ascii(",\"reason\":\"left-scope\"}");
  }

  /** {@code {"event":…,"table":…,"row":{…}}}; a delete's row is its row key. */
  public void row(EventRecord event, boolean left, JsonBytes out) {
    boolean delete = left || event.op() == Op.DELETE;
    out.ascii("{\"event\":\"").ascii(delete ? Op.DELETE.wire() : event.op().wire());
    out.ascii("\",\"table\":").string(event.table().name()).ascii(",\"row\":");
    if (delete) {
      key(event, out);
    } else {
      data(event, out);
    }
    out.raw('}');
  }

  /** A row key by itself. */
  public void rowKey(JsonObject rowKey, JsonBytes out) {
    object(rowKey, out, keyPlans, planned -> keyPlans = planned);
  }

  private void key(EventRecord event, JsonBytes out) {
    rowKey(event.rowKey(), out);
  }

  private void data(EventRecord event, JsonBytes out) {
    JsonObject data = event.data();
    if (data == null) {
      out.ascii("null");
    } else {
      object(data, out, dataPlans, planned -> dataPlans = planned);
    }
  }

  private interface Remember {
    void plans(Plan[] plans);
  }

  private void object(JsonObject row, JsonBytes out, Plan[] known, Remember remember) {
    if (asIs) {
      out.raw(row.bytes(), row.start(), row.end() - row.start());
      return;
    }
    Plan[] plans = known;
    if (plans.length != row.size()) {
      plans = new Plan[row.size()];
    }
    boolean learned = plans != known;
    int first = out.raw('{').size();
    for (int i = 0; i < row.size(); i++) {
      Plan plan = plans[i];
      if (plan == null || !row.nameIs(i, plan.rawName())) {
        if (!learned) {
          plans = plans.clone();
          learned = true;
        }
        plan = plan(row.name(i));
        plans[i] = plan;
      }
      if (plan.shown()) {
        if (out.size() > first) {
          out.raw(',');
        }
        plan.write(row, i, out);
      }
    }
    out.raw('}');
    if (learned) {
      remember.plans(plans);
    }
  }

  /** An array of column names, without those that aren't seen. */
  private void names(JsonObject members, int member, JsonBytes out) {
    byte[] bytes = members.bytes();
    int at = members.valueStart(member) + 1;
    int first = out.raw('[').size();
    while (bytes[at] == '"') {
      int end = at + 1;
      while (bytes[end] != '"') {
        end += bytes[end] == '\\' ? 2 : 1;
      }
      end++;
      if (plan(decoded(bytes, at, end)).shown()) {
        if (out.size() > first) {
          out.raw(',');
        }
        out.raw(bytes, at, end - at);
      }
      at = bytes[end] == ',' ? end + 1 : end;
    }
    out.raw(']');
  }

  /** The text of a JSON string with its quotes. */
  private static String decoded(byte[] bytes, int start, int end) {
    JsonBytes member = new JsonBytes(end - start + 4);
    member.raw('{').raw(bytes, start, end - start).ascii(":0}");
    return JsonObject.of(member.toByteArray()).name(0);
  }

  private Plan plan(String column) {
    Plan known = plans.get(column);
    return known != null ? known : plans.computeIfAbsent(column, newPlan);
  }

  private final Function<String, Plan> newPlan = this::newPlan;

  private Plan newPlan(String column) {
    Numbers numbers =
        stringNumbers ? Numbers.of(types.getOrDefault(column, ColumnType.Scalar.OTHER)) : null;
    return new Plan(
        JsonObject.rawName(column), rules.shows(column), rules.masks().get(column), numbers);
  }

  /** What becomes of one column. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Plan(
      byte[] rawName, boolean shown, @Nullable Mask mask, @Nullable Numbers numbers) {

    void write(JsonObject row, int i, JsonBytes out) {
      int start = row.memberStart(i);
      int value = row.valueStart(i);
      if (mask != null) {
        out.raw(row.bytes(), start, value - start);
        mask.write(row, i, out);
      } else if (numbers != null) {
        out.raw(row.bytes(), start, value - start);
        numbers.write(row.bytes(), value, row.valueEnd(i), out);
      } else {
        out.raw(row.bytes(), start, row.valueEnd(i) - start);
      }
    }
  }
}
