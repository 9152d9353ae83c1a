package dev.rowcast.event;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JsonObjectTest {
  private static final ObjectMapper ORACLE =
      new ObjectMapper().enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS);

  @Test
  void membersAreThoseThatJacksonSees() throws Exception {
    long seed = System.nanoTime();
    RandomJson json = new RandomJson(new Random(seed));
    RowEncoder encoder = new RowEncoder(List.of());
    for (int i = 0; i < 2_000; i++) {
      JsonObject object = encoder.encode(json.object(3).getBytes(UTF_8));
      String message = "seed " + seed + ", round " + i + ": " + object;
      List<Map.Entry<String, JsonNode>> members =
          new ArrayList<>(ORACLE.readTree(object.toString()).properties());
      assertEquals(members.stream().map(Map.Entry::getKey).toList(), object.names(), message);
      for (int m = 0; m < members.size(); m++) {
        JsonNode value = members.get(m).getValue();
        assertEquals(m, object.find(members.get(m).getKey()), message);
        assertEquals(value, ORACLE.readTree(object.valueText(m)), message);
        assertEquals(value.isNull(), object.valueIsNull(m), message);
        assertEquals(value.isTextual(), object.valueIsString(m), message);
        if (value.isTextual()) {
          assertEquals(value.textValue(), object.stringValue(m), message);
        }
        if (value.isObject()) {
          JsonObject inside =
              JsonObject.of(object.bytes(), object.valueStart(m), object.valueEnd(m));
          assertEquals(value.size(), inside.size(), message);
          assertEquals(JsonObject.of(object.valueBytes(m)), inside, message);
        }
      }
    }
  }

  @Test
  void anyTextIsWrittenSoThatJacksonReadsIt() throws Exception {
    long seed = System.nanoTime();
    RandomJson json = new RandomJson(new Random(seed));
    JsonBytes out = new JsonBytes(0);
    for (int i = 0; i < 2_000; i++) {
      String text = json.text();
      out.clear();
      byte[] written = out.string(text).toByteArray();
      String message = "seed " + seed + ", round " + i;
      assertEquals(text, ORACLE.readTree(written).textValue(), message);
      assertEquals(text, JsonObject.decode(written, 1, written.length - 1), message);
    }
  }

  @Test
  void everyCharacterIsWrittenSoThatJacksonReadsIt() throws Exception {
    for (int c = 0; c <= 0xffff; c++) {
      String text = "a" + (char) c;
      byte[] written = new JsonBytes(8).string(text).toByteArray();
      assertEquals(text, ORACLE.readTree(written).textValue());
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "{",
        "}",
        "[]",
        "{\"}",
        "{\"a}",
        "{\"a\"}",
        "{\"a\\\"}",
        "{\"a\":}",
        "{\"a\":1,}",
        "{\"a\":\"x}",
        "{\"a\":\"x\\\"}",
        "{\"a\":[}",
        "{\"a\":[1,{]}",
        "{,}",
        "{:1}",
        "{\"a\" :1}",
        "{ \"a\":1}",
        "{\"a\":1, \"b\":2}",
        "{\"a\":1}}",
        "{\"a\",1}",
        "{\"\":\"\"\"}",
        "{\"a\":1,,\"b\":1}",
        "{\"a\":,\"b\":1}",
        "{\"a\":\"\\"
      })
  void whatHasNoMembersToTellApartIsRefused(String text) {
    byte[] bytes = text.getBytes(UTF_8);
    assertThrows(IllegalArgumentException.class, () -> JsonObject.of(bytes));
    // as a slice, with bytes around it that must not be looked at
    byte[] around = ("\"" + text + "\"}").getBytes(UTF_8);
    assertThrows(IllegalArgumentException.class, () -> JsonObject.of(around, 1, 1 + bytes.length));
  }

  @Test
  void damagedObjectsAreReadOrRefusedAndNothingElse() throws Exception {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    RandomJson json = new RandomJson(random);
    RowEncoder encoder = new RowEncoder(List.of());
    for (int i = 0; i < 2_000; i++) {
      byte[] bytes = encoder.encode(json.object(2).getBytes(UTF_8)).toByteArray();
      bytes[random.nextInt(bytes.length)] = (byte) "{}[],:\"\\ 0".charAt(random.nextInt(10));
      try {
        JsonObject object = JsonObject.of(bytes);
        assertTrue(object.size() >= 0);
      } catch (IllegalArgumentException e) {
        assertTrue(e.getMessage().contains("not a canonical JSON object"), "seed " + seed);
      }
    }
  }

  @Test
  void aSliceKnowsOnlyItself() {
    byte[] bytes = "xx{\"a\":{\"b\":1}}yy".getBytes(UTF_8);
    JsonObject object = JsonObject.of(bytes, 2, bytes.length - 2);
    assertEquals("{\"a\":{\"b\":1}}", object.toString());
    assertEquals(JsonObject.of("{\"a\":{\"b\":1}}".getBytes(UTF_8)), object);
    assertEquals(JsonObject.of("{\"a\":{\"b\":1}}".getBytes(UTF_8)).hashCode(), object.hashCode());
    assertNotEquals(JsonObject.EMPTY, object);
    assertEquals("{\"a\":{\"b\":1}}", new String(object.toByteArray(), UTF_8));
    assertEquals(-1, object.find("b"));
  }

  @Test
  void namesAreFoundHoweverTheyAreSpelled() {
    JsonObject object =
        JsonObject.of(
            new JsonBytes(16)
                .raw('{')
                .string("a\"b")
                .raw(':')
                .number(1)
                .raw(',')
                .string("\ud800")
                .raw(':')
                .string("x")
                .raw('}')
                .toByteArray());
    assertEquals(0, object.find("a\"b"));
    assertEquals(1, object.find("\ud800"));
    assertFalse(object.valueIsString(0));
    assertThrows(IllegalArgumentException.class, () -> object.stringValue(0));
  }

  @Test
  void valuesAreTheSameWhenTheirBytesAre() {
    JsonObject one = JsonObject.of("{\"a\":1.0,\"b\":\"x\"}".getBytes(UTF_8));
    JsonObject two = JsonObject.of("{\"b\":\"x\",\"a\":1.00}".getBytes(UTF_8));
    assertTrue(one.sameValue(1, two, 0));
    assertFalse(one.sameValue(0, two, 1));
  }

  @Test
  void buffersCanBeCutBack() {
    JsonBytes out = new JsonBytes(1).ascii("abc").number(-1);
    out.truncate(4);
    assertEquals("abc-", new String(out.toByteArray(), UTF_8));
    assertThrows(IllegalArgumentException.class, () -> out.truncate(5));
    assertThrows(IllegalArgumentException.class, () -> out.truncate(-1));
  }
}
