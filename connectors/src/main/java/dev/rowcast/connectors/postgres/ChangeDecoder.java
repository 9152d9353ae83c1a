package dev.rowcast.connectors.postgres;

import static java.util.Objects.requireNonNull;

import dev.rowcast.event.JsonBytes;
import dev.rowcast.event.JsonObject;
import dev.rowcast.event.MalformedRowException;
import dev.rowcast.event.Op;
import dev.rowcast.event.RowChange;
import dev.rowcast.event.RowEncoder;
import dev.rowcast.event.TableId;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Makes row changes of outbox rows. Used by the task's thread only. */
final class ChangeDecoder {
  private static final int KNOWN_ACTORS = 256;
  private static final RowEncoder PLAIN = new RowEncoder(List.of());

  private record Writer(@Nullable String actor, String user) {}

  /** Sessions repeat themselves: the last actors told. */
  private final Map<Writer, JsonObject> actors =
      new LinkedHashMap<>(KNOWN_ACTORS, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Writer, JsonObject> eldest) {
          return size() > KNOWN_ACTORS;
        }
      };

  /**
   * The changes that a row tells: one, or two where an update changed the key as events spell it
   * (to the database {@code 1.0} and {@code 1.00} are the same number).
   */
  List<RowChange> decode(OutboxRow row, CapturedTable table) throws MalformedRowException {
    JsonObject before = table.encode(row.before());
    JsonObject after = table.encode(row.after());
    JsonObject actor = actor(row);
    TableId id = table.descriptor().table();
    if (before == null) {
      return List.of(insert(id, row.occurred(), table, requireNonNull(after, "new"), actor));
    }
    JsonObject oldKey = table.key(before);
    RowChange gone = new RowChange(id, Op.DELETE, row.occurred(), oldKey, null, before, actor);
    if (after == null) {
      return List.of(gone);
    }
    JsonObject key = table.key(after);
    return key.equals(oldKey)
        ? List.of(new RowChange(id, Op.UPDATE, row.occurred(), key, after, before, actor))
        : List.of(gone, insert(id, row.occurred(), table, after, actor));
  }

  private static RowChange insert(
      TableId id,
      Instant occurred,
      CapturedTable table,
      JsonObject after,
      @Nullable JsonObject actor)
      throws MalformedRowException {
    return new RowChange(id, Op.INSERT, occurred, table.key(after), after, null, actor);
  }

  private JsonObject actor(OutboxRow row) {
    return actors.computeIfAbsent(
        new Writer(row.actor(), row.writer()),
        writer -> {
          JsonObject told = writer.actor == null ? null : object(writer.actor);
          return told != null ? told : user(writer.user);
        });
  }

  /** The setting {@code rowcast.actor} where it is a JSON object; null for anything else. */
  private static @Nullable JsonObject object(String actor) {
    try {
      return PLAIN.encode(actor.getBytes(StandardCharsets.UTF_8));
    } catch (MalformedRowException e) {
      return null; // a session may set what it likes; then it has only told its user
    }
  }

  private static JsonObject user(String name) {
    return JsonObject.of(new JsonBytes(32).ascii("{\"user\":").string(name).raw('}').toByteArray());
  }
}
