package dev.rowcast.standalone;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.rowcast.event.EventRecord;
import dev.rowcast.event.JsonBytes;
import dev.rowcast.event.JsonObject;
import dev.rowcast.event.MalformedRowException;
import dev.rowcast.event.Op;
import dev.rowcast.event.RowEncoder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Reads one event as people write it, or as an outlet told it. Stateless. */
final class EventFile {
  private static final RowEncoder CANONICAL = new RowEncoder(List.of());

  private EventFile() {}

  /**
   * The event in a file; its {@code id} may be left out.
   *
   * @throws IOException if the file can't be read
   * @throws MalformedRowException for what isn't JSON, and a column or member twice
   * @throws IllegalArgumentException for JSON that isn't an event
   */
  static EventRecord read(Path file) throws IOException, MalformedRowException {
    JsonObject given = CANONICAL.encode(Files.readAllBytes(file));
    long id = 1;
    JsonBytes event = new JsonBytes(given.end()).raw('{');
    for (int i = 0; i < given.size(); i++) {
      String name = given.name(i);
      String value = text(given, i);
      if (name.equals("id")) {
        id = id(value);
      } else if (!(name.equals("data") && value.equals("null"))) {
        if (event.size() > 1) {
          event.raw(',');
        }
        event.string(name).raw(':');
        if (name.equals("data") || name.equals("rowKey")) {
          event.raw(CANONICAL.encode(value.getBytes(UTF_8)).toByteArray());
        } else {
          event.raw(value.getBytes(UTF_8));
        }
      }
    }
    EventRecord read = EventRecord.parse(id - 1, event.raw('}').toByteArray(), null);
    if ((read.data() == null) != (read.op() == Op.DELETE)) {
      throw new IllegalArgumentException("data (expected: a row, absent on delete only)");
    }
    return read;
  }

  private static String text(JsonObject object, int i) {
    return new String(
        object.bytes(), object.valueStart(i), object.valueEnd(i) - object.valueStart(i), UTF_8);
  }

  private static long id(String value) {
    if (!value.matches("[1-9][0-9]{0,17}")) {
      throw new IllegalArgumentException("id (expected: a positive integer)");
    }
    return Long.parseLong(value);
  }
}
