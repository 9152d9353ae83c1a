package dev.rowcast.edge;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a browser makes of a stream: WHATWG HTML, 9.2.6 "Interpreting an event stream", written from
 * the standard and knowing nothing of how we write. Comments are kept beside.
 */
final class SseParser {
  record Event(String type, String data, String lastId) {}

  final List<Event> events = new ArrayList<>();
  final List<String> comments = new ArrayList<>();
  String lastId = "";
  @Nullable String retry;

  private String idBuffer = "";
  private String type = "";
  private final StringBuilder data = new StringBuilder();
  private byte[] line = new byte[256];
  private int length;
  private boolean afterCr;
  private boolean atStart = true;

  void feed(byte[] bytes, int count) {
    for (int i = 0; i < count; i++) {
      byte b = bytes[i];
      if (b == '\n' && afterCr) {
        afterCr = false;
        continue;
      }
      afterCr = b == '\r';
      if (b == '\n' || b == '\r') {
        line(new String(line, 0, length, StandardCharsets.UTF_8));
        length = 0;
      } else {
        if (length == line.length) {
          line = java.util.Arrays.copyOf(line, length * 2);
        }
        line[length++] = b;
      }
    }
  }

  private void line(String raw) {
    String text = atStart && raw.startsWith("\ufeff") ? raw.substring(1) : raw;
    atStart = false;
    if (text.isEmpty()) {
      dispatch();
      return;
    }
    int colon = text.indexOf(':');
    if (colon == 0) {
      comments.add(text.substring(1));
      return;
    }
    String field = colon < 0 ? text : text.substring(0, colon);
    String value = colon < 0 ? "" : text.substring(colon + 1);
    value = value.startsWith(" ") ? value.substring(1) : value;
    switch (field) {
      case "event" -> type = value;
      case "data" -> data.append(value).append('\n');
      case "id" -> idBuffer = value.indexOf(0) < 0 ? value : idBuffer;
      case "retry" -> retry = value.matches("[0-9]+") ? value : retry;
      default -> {}
    }
  }

  private void dispatch() {
    lastId = idBuffer;
    if (data.length() > 0) {
      data.setLength(data.length() - 1);
      events.add(new Event(type.isEmpty() ? "message" : type, data.toString(), lastId));
    }
    data.setLength(0);
    type = "";
  }
}
