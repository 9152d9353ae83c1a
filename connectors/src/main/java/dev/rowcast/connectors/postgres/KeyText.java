package dev.rowcast.connectors.postgres;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.List;

/** Key values as PostgreSQL prints them, in one text. */
final class KeyText {
  private static final ObjectMapper JSON = new ObjectMapper();

  private KeyText() {}

  static String print(List<String> values) {
    return JSON.valueToTree(values).toString();
  }

  static List<String> parse(String text) {
    try {
      return List.of(JSON.readValue(text, String[].class));
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(text + " (expected: a list of texts)", e);
    }
  }
}
