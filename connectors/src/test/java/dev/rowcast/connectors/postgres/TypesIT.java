package dev.rowcast.connectors.postgres;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.rowcast.event.JsonObject;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Every column type with its extremes: the snapshot and the stream tell the same. */
class TypesIT extends PostgresIT {

  /** A type and values of it, as SQL, with how events tell them; null for whatever they are. */
  private static Map<String, List<List<String>>> types() {
    Map<String, List<List<String>>> types = new LinkedHashMap<>();
    types.put("smallint", of("-32768", "-32768", "32767", "32767"));
    types.put("bigint", of("9223372036854775807", "9223372036854775807"));
    types.put("numeric(10,2)", of("55", "55.00", "'NaN'", "\"NaN\""));
    types.put("numeric", of("1e-20", "0.00000000000000000001", "'Infinity'", "\"Infinity\""));
    types.put("numeric(1000,0)", of("1" + "0".repeat(999), "1" + "0".repeat(999)));
    types.put("real", of("3.4028235e38", "3.4028235e+38", "'-Infinity'", "\"-Infinity\""));
    types.put("double precision", of("0.1", "0.1", "'NaN'", "\"NaN\"", "'-0'", "-0"));
    types.put("boolean", of("true", "true", "null", "null"));
    types.put("text", of("E'a\\tb\\n\\u2028\"\\\\'", "\"a\\tb\\n\u2028\\\"\\\\\""));
    types.put("char(3)", of("'x'", "\"x  \""));
    types.put("varchar(5)", of("'é😀'", "\"é😀\""));
    types.put("\"char\"", of("'x'", "\"x\""));
    types.put("name", of("'n'", "\"n\""));
    types.put("bytea", of("'\\x'", "\"\"", "'\\x00ff'", "\"AP8=\""));
    types.put("bytea[]", of("ARRAY['\\x00ff'::bytea, null]", "[\"AP8=\",null]"));
    types.put(
        "date", of("'infinity'", "\"infinity\"", "'0044-03-15 BC'", null, "'9999-12-31'", null));
    types.put("time(3)", of("'24:00'", "\"24:00:00\""));
    types.put("timetz", of("'03:04:05+02'", "\"03:04:05+02\""));
    types.put(
        "timestamp",
        of(
            "'2026-01-02 03:04:05.123456'",
            "\"2026-01-02T03:04:05.123456\"",
            "'-infinity'",
            "\"-infinity\""));
    types.put(
        "timestamptz(6)",
        of(
            "'2026-01-02 03:04:05.1+02'",
            "\"2026-01-02T01:04:05.1Z\"",
            "'infinity'",
            "\"infinity\"",
            "'294276-12-31 23:59:59.999999+00'",
            null,
            "'4713-01-01 BC'",
            null));
    types.put(
        "timestamptz[]",
        of("ARRAY[ARRAY['2026-01-02 03:04+02'::timestamptz]]", "[[\"2026-01-02T01:04:00Z\"]]"));
    types.put("interval", of("'-1 year 2 days 3.5 seconds'", "\"P-1Y2DT3.5S\""));
    types.put("json", of("'{ \"b\" : 1.0,  \"a\":[ ] }'", "{\"b\":1.0,\"a\":[]}"));
    types.put("jsonb", of("'[1, {\"a\": null}]'", "[1,{\"a\":null}]", "'null'", "null"));
    types.put(
        "uuid",
        of("'A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11'", "\"a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11\""));
    types.put("int[]", of("'[0:1][1:2]={{1,2},{3,null}}'", "[[1,2],[3,null]]", "'{}'", "[]"));
    types.put("text[]", of("ARRAY['a\"', null, '']", "[\"a\\\"\",null,\"\"]"));
    types.put("int4range", of("'[1,5)'", "\"[1,5)\""));
    types.put("tstzrange", of("'[2026-01-01 00:00+02,)'", "\"[\\\"2025-12-31 22:00:00+00\\\",)\""));
    types.put("int4multirange", of("'{[1,2),[5,6)}'", "\"{[1,2),[5,6)}\""));
    types.put("inet", of("'::1/128'", "\"::1\""));
    types.put("cidr", of("'10.0.0.0/8'", "\"10.0.0.0/8\""));
    types.put("macaddr", of("'08:00:2b:01:02:03'", "\"08:00:2b:01:02:03\""));
    types.put("money", of("-1234.5", "\"-$1,234.50\""));
    types.put("bit(3)", of("B'101'", "\"101\""));
    types.put("varbit", of("B''", "\"\""));
    types.put("point", of("'(0.1,2)'", "\"(0.1,2)\""));
    types.put("polygon", of("'((0,0),(1,1))'", "\"((0,0),(1,1))\""));
    types.put("xml", of("'<a>&lt;</a>'", "\"<a>&lt;</a>\""));
    types.put("tsvector", of("'fat cat'", "\"'cat' 'fat'\""));
    types.put("pg_lsn", of("'16/B374D848'", "\"16/B374D848\""));
    types.put("oid", of("4294967295", null));
    types.put("regclass", of("'pg_class'", null));
    types.put("mood", of("'sad'", "\"sad\""));
    types.put("mood[]", of("'{sad,ok}'", "[\"sad\",\"ok\"]"));
    types.put("at", of("'2026-01-02 03:04+02'", "\"2026-01-02T01:04:00Z\""));
    types.put("at[]", of("ARRAY['2026-01-02 03:04+02'::at]", "[\"2026-01-02T01:04:00Z\"]"));
    types.put(
        "pair",
        of(
            "ROW('2026-01-02 03:04+02', '\\x00ff')",
            "{\"t\":\"2026-01-02T01:04:00Z\",\"b\":\"AP8=\"}"));
    types.put("pair[]", of("ARRAY[ROW(null, '\\x00ff')::pair]", "[{\"t\":null,\"b\":\"AP8=\"}]"));
    return types;
  }

  private static List<List<String>> of(String... valuesAndTold) {
    List<List<String>> pairs = new ArrayList<>();
    for (int i = 0; i < valuesAndTold.length; i += 2) {
      List<String> pair = new ArrayList<>();
      pair.add(valuesAndTold[i]);
      pair.add(valuesAndTold[i + 1]);
      pairs.add(pair);
    }
    return pairs;
  }

  @Test
  void everyTypeReadsTheSameFromSnapshotAndStream() throws Exception {
    source.sql(
        "CREATE TYPE mood AS ENUM ('sad', 'ok'); CREATE DOMAIN at AS timestamptz;"
            + " CREATE TYPE pair AS (t at, b bytea)");
    StringBuilder columns = new StringBuilder("id int PRIMARY KEY");
    List<String> names = new ArrayList<>(types().keySet());
    for (int i = 0; i < names.size(); i++) {
      columns.append(", c").append(i).append(' ').append(names.get(i));
    }
    source.sql("CREATE TABLE t (" + columns + ", twice int GENERATED ALWAYS AS (id * 2) STORED)");
    for (int round = 0; round < 4; round++) {
      insert(round);
    }
    source.capture("t").awaitCaptured("t");
    await().until(() -> rows.latest().size() == 4);
    Map<String, String> snapshot = rows.latest();
    source.sql("CREATE TABLE saved AS SELECT * FROM t; DELETE FROM t");
    ops(4);
    for (int round = 0; round < 4; round++) {
      insert(round);
    }
    ops(8);
    await().until(() -> rows.latest().size() == 4);
    assertEquals(snapshot, rows.latest());
    for (int round = 0; round < 4; round++) {
      JsonObject row = events.events().get(4 + round).data();
      check(row, names, round);
      assertEquals(
          String.valueOf(row), String.valueOf(events.events().get(round).before()), "old row");
    }
    try (TopicLog catalog = source.catalog()) {
      for (String type : new String[] {"numeric(10,2)", "timestamp(6) with time zone", "bytea[]"}) {
        await().until(() -> catalog.latest().toString().contains("\"dataType\":\"" + type));
      }
    }
  }

  private static void check(JsonObject row, List<String> names, int round) {
    for (int i = 0; i < names.size(); i++) {
      List<List<String>> values = types().get(names.get(i));
      String expected = values.get(Math.min(round, values.size() - 1)).get(1);
      if (expected != null) {
        assertEquals(expected, row.valueText(row.find("c" + i)), names.get(i));
      }
    }
  }

  private void insert(int round) throws Exception {
    StringBuilder values = new StringBuilder(String.valueOf(round));
    for (List<List<String>> samples : types().values()) {
      values.append(", ").append(samples.get(Math.min(round, samples.size() - 1)).get(0));
    }
    source.sql("INSERT INTO t VALUES (" + values + ")");
  }
}
