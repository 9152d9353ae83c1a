package dev.rowcast.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ConfigurationFaultsTest {
  private static final String ONLY_TOPICS =
      "kafka, with a topic that holds the table's rows; native is of postgresql only";

  private static final String SMALL = ConfigurationLoaderTest.SMALL;

  /** What is appended to, or with {@code →} replaced in, the small file; and the faults. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          server: {prot: 1}                      | 9:10: server.prot: unknown key 'prot' (expected: did you mean port? one of host, port, heartbeat, token_lifetime, allowed_origins, max_page_bytes)
          tabels: []                             | 9:1: tabels: unknown key 'tabels' (expected: did you mean tables? one of server, kafka, connect, secret, auth, roles, sources, tables, relationships, rls_rules)
          source_id: shop→sourceId: shop         | 8:5: tables[0].sourceId: unknown key 'sourceId' (expected: did you mean source_id? one of id, table, schema, source_id, key_columns, columns, live)&7:5: tables[0].source_id: missing (expected: the id of a source: shop)
          server: 8080                           | 9:9: server: a number (expected: a mapping)
          server: {port: "http"}                 | 9:16: server.port: a text (expected: a whole number, 0 to 65535)
          server: {port: 65536}                  | 9:16: server.port: 65536 (expected: 0 to 65535)
          server: {port: -1}                     | 9:16: server.port: -1 (expected: 0 to 65535)
          server: {port: 99999999999999999999}   | 9:16: server.port: 99999999999999999999 (expected: 0 to 65535)
          server: {heartbeat: soon}              | 9:21: server.heartbeat: 'soon' (expected: a duration such as 500ms, 15s, 5m, 1h, 7d, or a number of seconds)
          server: {heartbeat: 0}                 | 9:21: server.heartbeat: '0' (expected: 100ms to 1h)
          server: {heartbeat: 999999999999d}     | 9:21: server.heartbeat: '999999999999d' (expected: 100ms to 1h)
          server: {heartbeat: [1]}               | 9:21: server.heartbeat: a list (expected: a duration such as 500ms, 15s, 5m, 1h, 7d, or a number of seconds)
          server: {host: 'a b'}                  | 9:16: server.host: 'a b' (expected: a host name or an address)
          server: {allowed_origins: [app.example]} | 9:28: server.allowed_origins[0]: 'app.example' (expected: an origin such as https://app.example, or *)
          server: {allowed_origins: https://a.b} | 9:27: server.allowed_origins: a text (expected: a list of texts)
          server: {host: a, host: b}             | 9:19: server.host: the same key again, first on line 9 (expected: each key once)
          kafka: {bootstrap_servers: kafka}      | 9:28: kafka.bootstrap_servers: 'kafka' (expected: host:port, or several separated by commas)
          kafka: {retention: 1h}                 | 9:20: kafka.retention: '1h' (expected: 2d to 3650d)
          kafka: {properties: {a: [1]}}          | 9:25: kafka.properties.a: a list (expected: a single value)
          connect: {url: localhost:8083}         | 9:16: connect.url: 'localhost:8083' (expected: a URL such as http://localhost:8083)
          connect: {url: "http://u:p@c:1"}       | 9:16: connect.url: has a user in it (expected: a URL such as http://localhost:8083)
          secret: hush                           | 9:9: secret: has 4 characters (expected: at least 32, made by chance: openssl rand -base64 32)
          secret: 12                             | 9:9: secret: a number (expected: a text: put it in quotes)
          secret: ${env:UNSET}                   | 9:9: secret: environment variable UNSET is not set (expected: set it, or a default: ${env:UNSET:-default})
          secret: ${UNSET}                       | 9:9: secret: '${…}' isn't understood (expected: ${env:NAME} or ${env:NAME:-default})
          secret: '${env:UNSET'                  | 9:9: secret: '${' without '}' (expected: ${env:NAME} or ${env:NAME:-default})
          secret: *s                             | 9:9: secret: an alias (*s) (expected: the value itself, written out)
          secret: &s x                           | 9:9: secret: an anchor (&s) (expected: a plain value)
          secret: !!str x                        | 9:9: secret: a tag (tag:yaml.org,2002:str) (expected: a value without tag)
          ? [a]#: b                              | 9:3: a key that isn't a text (expected: a text as key)
          roles: [{id: analyst}, {id: analyst}]  | 9:29: roles[1].id: role id 'analyst' again (expected: an id of its own)
          roles: [{id: a b}]                     | 9:14: roles[0].id: 'a b' (expected: 1 to 100 letters, digits, '.', '_' or '-')
          roles: [analyst]                       | 9:9: roles[0]: a text (expected: a mapping)
          roles: [{id: x, capabilities: [events.raed]}] | 9:32: roles[0].capabilities[0]: unknown capability 'events.raed' (expected: did you mean events.read? one of events.read, events.manage)
          rls_rules: [{table_id: order, role_id: admin, filter: a}] | 9:24: rls_rules[0].table_id: unknown table id 'order' (expected: did you mean orders? orders)
          rls_rules: [{table_id: orders, role_id: amdin, filter: a}] | 9:41: rls_rules[0].role_id: unknown role 'amdin' (expected: did you mean admin? admin)
          rls_rules: [{table_id: orders, role_id: admin, filter: true}] | 9:56: rls_rules[0].filter: true or false (expected: a text: put it in quotes)
          rls_rules: [{table_id: orders, role_id: admin, filter: ''}] | 9:56: rls_rules[0].filter: empty (expected: an SQL predicate as a text)
          rls_rules: [{role_id: admin, filter: a}] | 9:13: rls_rules[0].table_id: missing (expected: the id of a table)
          rls_rules: [{table_id: orders, role_id: admin, filter: a}, {table_id: orders, role_id: admin, filter: b}] | 9:60: rls_rules[1]: a second rule for table 'orders' and role 'admin' (expected: one rule, its conditions joined by AND or OR)
          relationships: [{id: r, source_table_id: orders, target_table_id: customers, source_column: a, target_column: b, cardinality: many}] | 9:67: relationships[0].target_table_id: unknown table id 'customers' (expected: orders)&9:127: relationships[0].cardinality: unknown cardinality 'many' (expected: one of many-to-one, one-to-many, one-to-one)
          relationships: [{id: r, name: my-field, source_table_id: orders, target_table_id: orders, source_column: a, target_column: b}] | 9:31: relationships[0].name: 'my-field' (expected: a GraphQL name: letters, digits and '_', no digit first)
          """)
  void topLevelFaults(String change, String faults) {
    assertFaults(SMALL, change, faults);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          type: postgresql→type: postgres        | 3:11: sources[0].type: unknown source type 'postgres' (expected: did you mean postgresql? one of postgresql, mysql, mariadb, mongodb, kafka, federated)
          type: postgresql→type: federated       | 3:11: sources[0].type: source type federated isn't available in this version (expected: postgresql, kafka, mysql, mariadb or mongodb)&4:10: sources[0].url: 'jdbc:postgresql://db/shop' (expected: jdbc:federated://host:port/database)
          username: rowcast→user: rowcast        | 5:5: sources[0].user: unknown key 'user' (expected: one of id, type, cdc, url, host, port, database, username, password, tables)&2:5: sources[0].username: missing (expected: who connects to the database)
          url: jdbc→host: h\\n    url: jdbc      | 4:11: sources[0].host: beside url (expected: either url or host, port and database)
          url: jdbc:postgresql→url: postgresql   | 4:10: sources[0].url: 'postgresql://db/shop' (expected: jdbc:postgresql://host:port/database)
          //db/shop→//u:hush@db/shop             | 4:10: sources[0].url: has a user or a password in it (expected: username and password as keys of their own)
          //db/shop→//db/shop?password=hush      | 4:10: sources[0].url: has a user or a password in it (expected: username and password as keys of their own)
          url: jdbc:postgresql://db/shop→host: h | 2:5: sources[0].database: missing (expected: the database's name)
          url: jdbc:postgresql://db/shop→port: 1 | 4:11: sources[0].port: without host (expected: host, port and database together)&2:5: sources[0].url: missing (expected: jdbc:postgresql://host:port/database)
          - id: shop→- id: shop\\n    cdc: {schema_registry_url: x} | 3:32: sources[0].cdc.schema_registry_url: 'x' (expected: a URL such as http://schema-registry:8081)
          tables:→  - {id: shop, type: kafka}\\ntables: | 6:10: sources[1].id: source id 'shop' again (expected: an id of its own)
          source_id: shop→source_id: shpo        | 8:16: tables[0].source_id: unknown source_id 'shpo' (expected: did you mean shop? shop)
          id: orders→schema: public              | 7:5: tables[0].id: missing (expected: an id, or table where both are the same)
          id: orders→id: a,b                     | 7:9: tables[0].id: 'a,b' (expected: 1 to 200 characters without white space or comma)
          id: orders→id: orders\\n    table: ''  | 8:12: tables[0].table: empty (expected: a name)
          - id: orders→- {id: orders, source_id: shop, table: o2}\\n  - id: orders | 8:9: tables[1].id: table id 'orders' again (expected: an id of its own)
          - id: orders→- {id: o2, source_id: shop, table: orders}\\n  - id: orders | 8:5: tables[1]: table public.orders again, first on line 7 (expected: each schema and table once, across all sources)
          username: rowcast→username: rowcast\\n    tables: [{id: n, source_id: x}] | 6:33: sources[0].tables[0].source_id: unknown source_id 'x' (expected: shop)
          """)
  void sourceAndTableFaults(String change, String faults) {
    assertFaults(SMALL, change, faults);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          key_columns: [1]                       | 9:19: tables[0].key_columns[0]: a number (expected: a text)
          key_columns: [a, a]                    | 9:22: tables[0].key_columns[1]: 'a' again (expected: each once)
          columns: [{name: a}, {name: a}]        | 9:33: tables[0].columns[1].name: column 'a' again (expected: each column once)
          columns: [{name: a, visible_to: [anyone]}] | 9:38: tables[0].columns[0].visible_to[0]: unknown role 'anyone' (expected: admin)
          columns: [{name: a, mask_type: regx}]  | 9:36: tables[0].columns[0].mask_type: unknown mask type 'regx' (expected: did you mean regex? one of regex, constant, null, hash, truncate)
          columns: [{name: a, mask_type: regex}] | 9:15: tables[0].columns[0].mask_pattern: missing (expected: a regular expression)&9:15: tables[0].columns[0].mask_replace: missing (expected: the text in its place)
          columns: [{name: a, mask: {type: regex, pattern: '(', replace: x}}] | 9:54: tables[0].columns[0].mask.pattern: Unclosed group near index 1 (expected: a regular expression)
          columns: [{name: a, mask_type: constant}] | 9:15: tables[0].columns[0].mask_value: missing (expected: what is shown, null included)
          columns: [{name: a, mask_type: truncate, mask_precision: moon}] | 9:62: tables[0].columns[0].mask_precision: 'moon' (expected: a unit such as month, or a length)
          columns: [{name: a, mask_type: hash, mask_value: 1}] | 9:54: tables[0].columns[0].mask_value: of no use here (expected: mask_type: constant)
          columns: [{name: a, mask_type: hash, mask: {type: hash}}] | 9:36: tables[0].columns[0].mask_type: beside mask (expected: mask alone)
          columns: [{name: a, unmasked_to: [admin]}] | 9:38: tables[0].columns[0].unmasked_to: of no use without a mask (expected: mask_type beside it)
          columns: [{name: a, mask: {}}]         | 9:31: tables[0].columns[0].mask.type: missing (expected: regex, constant, null, hash or truncate)
          live: {strategy: debezium}             | 9:22: tables[0].live.strategy: strategy debezium isn't available in this version (expected: native or kafka)
          live: {strategy: poll, watermark_column: at} | 9:22: tables[0].live.strategy: strategy poll isn't available in this version (expected: native or kafka)
          live: {strategy: natve}                | 9:22: tables[0].live.strategy: unknown strategy 'natve' (expected: did you mean native? one of native, debezium, kafka, poll)
          live: {strategy: kafka, topic: t}      | 7:5: tables[0].key_columns: missing (expected: the columns that tell rows apart: a topic can't tell)
          live: {strategy: kafka}                | 9:11: tables[0].live.topic: missing (expected: a topic, or cdc.topic_prefix of source 'shop')&7:5: tables[0].key_columns: missing (expected: the columns that tell rows apart: a topic can't tell)
          live: {notify: on}                     | 9:20: tables[0].live.notify: unknown notify mode 'on' (expected: one of trigger, reader, off)
          live: {accept_notify: 1}               | 9:27: tables[0].live.accept_notify: a number (expected: true or false)
          live: {outputs: [{type: kafka, as: admin}]} | 9:22: tables[0].live.outputs[0].topic: missing (expected: a Kafka topic's name: 1 to 249 letters, digits, '.', '_' or '-')
          live: {outputs: [{type: sse, topic: t}]} | 9:41: tables[0].live.outputs[0].topic: an output of type sse has none (expected: type: kafka)
          live: {outputs: [{topic: t}]}          | 9:22: tables[0].live.outputs[0].type: missing (expected: sse or kafka)
          """)
  void tableDetails(String change, String faults) {
    assertFaults(SMALL, "    " + change, faults);
  }

  @ParameterizedTest
  @CsvSource({
    "mysql, strategy native needs a source of type postgresql, true",
    "mariadb, strategy native needs a source of type postgresql, true",
    "mongodb, strategy native for mongodb isn't available in this version, true",
    "kafka, strategy native needs a source of type postgresql, false"
  })
  void nativeNeedsPostgresql(String type, String problem, boolean database) {
    String yaml =
        """
        sources:
          - {id: s, type: %s, tables: [{id: t, live: {strategy: native}}]}
        """
            .formatted(type);
    List<String> faults = faults(yaml);
    assertEquals(1, faults.size(), faults.toString());
    String expected = database ? ONLY_TOPICS : "kafka";
    assertTrue(faults.get(0).endsWith(problem + " (expected: " + expected + ")"), faults.get(0));
  }

  @ParameterizedTest
  @ValueSource(strings = {"mysql", "mariadb", "mongodb"})
  void databasesThatThisVersionDoesNotReadAreNamed(String type) {
    assertEquals(
        List.of(
            "rowcast.yaml:2:%d: sources[0].tables[0].live.strategy: missing, and a source of type %s isn't read itself in this version (expected: %s)"
                .formatted(type.length() + 30, type, ONLY_TOPICS)),
        faults("sources:\n  - {id: s, type: " + type + ", tables: [{id: t}]}\n"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"sinks", "webhooks", "graphql"})
  void whatIsToComeIsSaidNotToBeThereYet(String key) {
    assertEquals(
        List.of(
            "rowcast.yaml:9:1: "
                + key
                + ": not available in this version (expected: to be left out)"),
        faults(SMALL + key + ": [{name: x}]\n"));
  }

  @Test
  void nativeNeedsTheDatabaseNotOnlyItsTopics() {
    String yaml =
        """
        sources:
          - {id: s, type: postgresql, cdc: {topic_prefix: p}, tables: [{id: t}]}
        """;
    assertEquals(
        List.of(
            "rowcast.yaml:2:64: sources[0].tables[0].live.strategy: strategy native needs the"
                + " database, and source 's' has no url (expected: url and username of the"
                + " source)"),
        faults(yaml));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          ''           | rowcast.yaml: empty (expected: a mapping with at least sources)
          '# nothing'  | rowcast.yaml: empty (expected: a mapping with at least sources)
          'a'          | rowcast.yaml:1:1: a text (expected: a mapping with at least sources)
          '[]'         | rowcast.yaml:1:1: a list (expected: a mapping with at least sources)
          '{}'         | rowcast.yaml:1:1: sources: missing (expected: at least one source)
          'a: b: c'    | rowcast.yaml:1:5: not YAML: mapping values are not allowed here (expected: a YAML 1.2 document)
          """)
  void wholeFiles(String yaml, String fault) {
    assertEquals(List.of(fault), faults(yaml));
  }

  @Test
  void aSecondDocumentIsAFault() {
    assertEquals(
        List.of(
            "rowcast.yaml:10:1: a second document (expected: one document, without '---' in it)"),
        faults(SMALL + "---\na: b\n"));
  }

  @Test
  void deepNestingEndsTheReading() {
    List<String> faults = faults("a: " + "[".repeat(100_000));
    assertEquals(1, faults.size());
    assertTrue(faults.get(0).contains("nested too deep"), faults.get(0));
  }

  @Test
  void aliasesDoNotGrow() {
    StringBuilder laughs = new StringBuilder("l0: &l0 [lol, lol]\n");
    for (int i = 1; i < 100; i++) {
      laughs.append("l%d: &l%d [*l%d, *l%d]\n".formatted(i, i, i - 1, i - 1));
    }
    List<String> faults = faults(laughs.toString());
    assertTrue(faults.stream().anyMatch(fault -> fault.contains("an alias (*l98)")));
  }

  @Test
  void allFaultsAreToldAtOnceInTheOrderOfTheFile() {
    List<String> faults =
        faults(
            """
            rls_rules: [{table_id: nope, role_id: nope, filter: x}]
            sources: [{id: s, type: nope}]
            server: {port: x}
            tables: [{id: t, source_id: nope, live: {strategy: nope}}]
            """);
    assertEquals(
        List.of("1:24", "1:39", "2:25", "3:16", "4:29", "4:52"),
        faults.stream()
            .map(fault -> fault.replaceAll("rowcast.yaml:(\\d+:\\d+):.*", "$1"))
            .toList());
  }

  @Test
  void aFaultySourceMakesItsTablesNoFault() {
    assertEquals(1, faults(SMALL.replace("type: postgresql", "type: nope")).size());
  }

  /** Damaged files end in faults or a configuration, never in anything else. */
  @Test
  void noDamageBreaksTheLoader() throws Exception {
    String full = ConfigurationLoaderTest.resource("full.yaml");
    long seed = System.nanoTime();
    Random random = new Random(seed);
    String splinters = "[]{}:,-&*!'\"|>%@`#? \n\t\u0000\uD800${}a0";
    for (int i = 0; i < 200; i++) {
      StringBuilder damaged = new StringBuilder(full);
      for (int n = random.nextInt(4); n >= 0; n--) {
        int at = random.nextInt(damaged.length());
        char splinter = splinters.charAt(random.nextInt(splinters.length()));
        switch (random.nextInt(3)) {
          case 0 -> damaged.setCharAt(at, splinter);
          case 1 -> damaged.insert(at, splinter);
          default -> damaged.delete(at, Math.min(damaged.length(), at + random.nextInt(20)));
        }
      }
      try {
        ConfigurationLoaderTest.load(damaged.toString());
      } catch (InvalidConfigurationException e) {
        assertFalse(e.faults().isEmpty());
      } catch (RuntimeException e) {
        throw new AssertionError("seed " + seed + ", round " + i + ":\n" + damaged, e);
      }
    }
  }

  private static void assertFaults(String base, String change, String faults) {
    String unescaped = change.replace("\\n", "\n").replace("#:", "\n:");
    String[] sides = unescaped.split("→", 2);
    String yaml = sides.length == 1 ? base + unescaped : base.replace(sides[0], sides[1]);
    assertEquals(
        List.of(faults.split("&(?=\\d)")).stream().map(f -> "rowcast.yaml:" + f).sorted().toList(),
        faults(yaml).stream().sorted().toList());
  }

  private static List<String> faults(String yaml) {
    return assertThrows(
            InvalidConfigurationException.class, () -> ConfigurationLoaderTest.load(yaml))
        .faults()
        .stream()
        .map(Fault::toString)
        .toList();
  }
}
