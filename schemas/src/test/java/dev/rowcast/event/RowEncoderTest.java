package dev.rowcast.event;

import static java.nio.charset.StandardCharsets.UTF_16;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RowEncoderTest {
  private static final RowEncoder UNTYPED = new RowEncoder(List.of());

  @Test
  void anyObjectKeepsItsTokensAndLosesItsWhiteSpace() throws Exception {
    long seed = System.nanoTime();
    RandomJson json = new RandomJson(new Random(seed));
    for (int i = 0; i < 2_000; i++) {
      String text = json.object(4);
      String message = "seed " + seed + ", round " + i + ": " + text;
      JsonObject encoded = UNTYPED.encode(text.getBytes(UTF_8));
      assertEquals(tokens(text), tokens(encoded.toString()), message);
      assertEquals(encoded, UNTYPED.encode(encoded.toByteArray()), message);
      assertFalse(
          encoded.toString().replaceAll("\"(\\\\.|[^\"\\\\])*\"", "").matches("(?s).*\\s.*"),
          message);
    }
  }

  /** Token kinds with their texts: numbers digit by digit, strings decoded. */
  private static List<String> tokens(String json) throws IOException {
    List<String> tokens = new ArrayList<>();
    try (JsonParser parser = new JsonFactory().createParser(json)) {
      for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
        tokens.add(token + " " + parser.getText());
      }
    }
    return tokens;
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "55.00", "-0", "0.000", "1e400", "1E+2", "9223372036854775808", "-170141183460469231731",
        "0.1000000000000000055511151231257827", "[]", "{}", "[{}]", "null", "true", "\"NaN\"",
        "\"-Infinity\"", "\"\\ud800\"", "\"\\u0000\"", "\"\\u007f\"", "\"\u2028😀é\""
      })
  void canonicalValuesStayAsTheyAre(String value) throws Exception {
    assertEquals("{\"a\":" + value + "}", encode("{\"a\":" + value + "}"));
  }

  @Test
  void everyDigitIsKept() throws Exception {
    String digits = "9".repeat(200_000) + "." + "1".repeat(200_000);
    assertEquals("{\"a\":" + digits + "}", encode("{\"a\": " + digits + " }"));
  }

  @Test
  void depthCostsNoStack() throws Exception {
    int depth = 200_000;
    String array = "{\"a\":" + "[".repeat(depth) + "]".repeat(depth) + "}";
    assertEquals(array, encode(array));
    String object = "{\"a\":".repeat(depth) + "1" + "}".repeat(depth);
    assertEquals(object, encode(object));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "[]",
        "1",
        "null",
        "\"a\"",
        "{",
        "{\"a\"}",
        "{\"a\":}",
        "{\"a\":1,}",
        "{a:1}",
        "{\"a\":1}{",
        "{\"a\":1} 2",
        "{\"a\":NaN}",
        "{\"a\":01}",
        "{\"a\":.5}",
        "{\"a\":1.}",
        "{\"a\":+1}",
        "{\"a\":\"\\x\"}",
        "{\"a\":\"\n\"}",
        "{\"a\":[1}",
        "{\"a\":tru}",
        "{\"a\":1 // no\n}",
        "{'a':1}",
        "{\"a\":1;\"b\":2}"
      })
  void whatIsNotOneObjectIsRefused(String text) {
    assertThrows(MalformedRowException.class, () -> encode(text));
  }

  @Test
  void aColumnTwiceIsRefusedHoweverItIsWritten() {
    assertThrows(MalformedRowException.class, () -> encode("{\"a\":1,\"b\":2,\"a\":3}"));
    assertThrows(MalformedRowException.class, () -> encode("{\"a\":1,\"\\u0061\":3}"));
  }

  @Test
  void repeatedNamesInsideAJsonColumnAreTheSourcesOwn() throws Exception {
    assertEquals("{\"j\":{\"a\":1,\"a\":2}}", encode("{\"j\":{\"a\":1,\"a\":2}}"));
  }

  @Test
  void aByteOrderMarkIsDroppedAndOtherEncodingsAreReadOrRefused() throws Exception {
    assertEquals("{\"a\":1}", encode("\uFEFF{\"a\":1}"));
    assertEquals("{\"a\":1}", UNTYPED.encode("{\"a\":1}".getBytes(UTF_16)).toString());
    for (byte[] broken :
        new byte[][] {
          {'{', '"', 'a', '"', ':', '"', (byte) 0xc3, '"', '}'},
          {'{', '"', (byte) 0xff, '"', ':', '1', '}'},
          {0, 0, 0, '{', (byte) 0xff, (byte) 0xff, (byte) 0xff, (byte) 0xff},
          {0, 0, (byte) 0xff, (byte) 0xfe, 1, 2, 3, 4}
        }) {
      assertThrows(MalformedRowException.class, () -> UNTYPED.encode(broken));
    }
  }

  @Test
  void unpairedSurrogatesInNamesPass() throws Exception {
    String row =
        "{\"j\":{\"\\ud800\":1,\"\\udc00x\":{\"\\ud800\\ud800\":\"\\ud800\"}},\"k\":\"😀\"}";
    assertEquals(row, encode(row));
  }

  @Test
  void messagesShowNoValues() {
    MalformedRowException e =
        assertThrows(MalformedRowException.class, () -> encode("{\"a\":\"hush\",\"b\":hush}"));
    assertFalse(e.getMessage().contains("hush"), e.getMessage());
  }

  @ParameterizedTest
  @CsvSource(
      nullValues = "-",
      textBlock =
          """
          timestamptz, 2026-11-30T20:12:31.12+00:00, 2026-11-30T20:12:31.12Z
          timestamptz, 2026-11-30T20:12:31+05:30, 2026-11-30T14:42:31Z
          timestamptz[], 2026-11-30T20:12:31+05:30, 2026-11-30T20:12:31+05:30
          timestamp, 2026-11-30T20:12:31.12, 2026-11-30T20:12:31.12
          timestamp(3) with time zone, infinity, infinity
          bytea, \\x, ''
          bytea, \\x00ff10, AP8Q
          bytea, \\xABCD, q80=
          bytea, q80=, q80=
          text, \\x00ff10, \\\\x00ff10
          text, 2026-11-30T20:12:31+00:00, 2026-11-30T20:12:31+00:00
          numeric, NaN, NaN
          """)
  void textsAreToldByTheirColumnsType(String type, String value, String expected) throws Exception {
    RowEncoder encoder = new RowEncoder(List.of(Column.of("a", type)));
    String json = "{\"b\":\"x\",\"a\":\"" + value.replace("\\", "\\\\") + "\"}";
    assertEquals(
        "{\"b\":\"x\",\"a\":\"" + expected + "\"}",
        encoder.encode(json.getBytes(UTF_8)).toString());
  }

  @ParameterizedTest
  @ValueSource(strings = {"\\\\x0", "\\\\xzz", "\\\\x 00"})
  void binaryThatIsNotHexIsRefused(String value) {
    RowEncoder encoder = new RowEncoder(List.of(Column.of("a", "bytea")));
    byte[] json = ("{\"a\":\"" + value + "\"}").getBytes(UTF_8);
    assertThrows(MalformedRowException.class, () -> encoder.encode(json));
  }

  @ParameterizedTest
  @ValueSource(strings = {"timestamptz[]", "timestamptz[][]", "timestamp with time zone [] []"})
  void elementsOfArraysAreToldByTheirTypeAtEveryDepth(String type) throws Exception {
    RowEncoder encoder = new RowEncoder(List.of(Column.of("a", type)));
    String in = "\"2026-11-30T20:12:31+00:00\"";
    String out = "\"2026-11-30T20:12:31Z\"";
    String form = "{\"a\":[%1$s,null,[[%1$s],[]]],\"b\":[" + in + "]}";
    assertEquals(
        form.formatted(out), encoder.encode(form.formatted(in).getBytes(UTF_8)).toString());
  }

  @Test
  void fieldsOfCompositesAreToldByTheirTypes() throws Exception {
    ColumnType pair =
        new ColumnType.Composite(
            List.of(Column.of("at", "timestamptz"), Column.of("raw", "bytea[]")));
    RowEncoder encoder =
        new RowEncoder(
            List.of(
                new Column("one", "pair", pair),
                new Column("many", "pair[]", new ColumnType.Array(pair)),
                Column.of("at", "text"),
                Column.of("doc", "jsonb")));
    String row = "{\"at\":\"%1$s\",\"raw\":[\"%2$s\"]}";
    String in = row.formatted("2026-11-30T20:12:31+00:00", "\\\\x00");
    String out = row.formatted("2026-11-30T20:12:31Z", "AA==");
    String form = "{\"one\":%1$s,\"many\":[%1$s,null,[%1$s]],\"at\":\"%2$s\",\"doc\":%3$s}";
    assertEquals(
        form.formatted(out, "2026-11-30T20:12:31+00:00", in),
        encoder
            .encode(form.formatted(in, "2026-11-30T20:12:31+00:00", in).getBytes(UTF_8))
            .toString());
  }

  @Test
  void nullsAreNullWhateverTheType() throws Exception {
    RowEncoder encoder =
        new RowEncoder(
            List.of(
                Column.of("a", "timestamptz"), Column.of("b", "bytea"), Column.of("c", "int[]")));
    String row = "{\"a\":null,\"b\":null,\"c\":null}";
    assertEquals(row, encoder.encode(row.getBytes(UTF_8)).toString());
  }

  private static String encode(String json) throws MalformedRowException {
    return UNTYPED.encode(json.getBytes(UTF_8)).toString();
  }
}
