package dev.rowcast.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rowcast.config.OutputConfig.OutputType;
import dev.rowcast.config.SourceConfig.CdcConfig;
import dev.rowcast.config.SourceConfig.DatabaseConfig;
import dev.rowcast.config.SourceConfig.SourceType;
import dev.rowcast.config.TableConfig.MaskConfig;
import dev.rowcast.config.TableConfig.MaskType;
import dev.rowcast.config.TableConfig.NotifyMode;
import dev.rowcast.event.TableId;
import dev.rowcast.source.Strategy;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ConfigurationLoaderTest {
  static final Map<String, String> ENVIRONMENT =
      Map.of(
          "ROWCAST_SECRET", "0123456789abcdef0123456789abcdef",
          "JAAS", "PlainLoginModule required password=\"hush\";",
          "NUMERIC", "12345",
          "PORT", "9000",
          "EMPTY", "",
          "STRUCTURE", "x\nroles: [{id: intruder}]");

  static final String SMALL =
      """
      sources:
        - id: shop
          type: postgresql
          url: jdbc:postgresql://db/shop
          username: rowcast
      tables:
        - id: orders
          source_id: shop
      """;

  @Test
  void everyKeyArrivesInItsRecord() throws Exception {
    LoadedConfiguration loaded = load(resource("full.yaml"));
    Configuration configuration = loaded.configuration();

    assertEquals(
        List.of(
            "sources[0].tables[0].live.watermark_column",
            "sources[0].tables[0].live.poll_interval",
            "sources[0].tables[0].live.accept_notify",
            "sources[0].tables[0].live.outputs",
            "sources[1].cdc.bootstrap_servers",
            "sources[1].cdc.schema_registry_url",
            "tables[0]",
            "tables[1]",
            "relationships"),
        loaded.warnings().stream().map(Fault::path).toList());
    assertEquals(
        new ServerConfig(
            "0.0.0.0",
            8000,
            Duration.ofSeconds(10),
            Duration.ofMinutes(30),
            List.of("https://app.example", "http://localhost:3000"),
            524288),
        configuration.server());
    assertEquals(
        new KafkaConfig(
            "kafka-1:9092,kafka-2:9092",
            "rowcast.",
            Duration.ofDays(14),
            3,
            "node-a",
            Map.of(
                "security.protocol",
                "SASL_SSL",
                "sasl.jaas.config",
                "PlainLoginModule required password=\"hush\";",
                "reconnect.backoff.ms",
                "100")),
        configuration.kafka());
    assertEquals(URI.create("http://connect:8083"), configuration.connect().url());
    assertEquals(new Secret("0123456789abcdef0123456789abcdef"), configuration.secret());
    assertEquals(
        List.of(
            new SourceConfig(
                "shop",
                SourceType.POSTGRESQL,
                new DatabaseConfig(
                    "jdbc:postgresql://db.example:5433/shop", "rowcast", new Secret("")),
                null),
            new SourceConfig(
                "crm",
                SourceType.MYSQL,
                new DatabaseConfig("jdbc:mysql://crm.example/crm", "rowcast", new Secret("")),
                new CdcConfig("kafka:9092", "debezium", "http://schema-registry:8081"))),
        configuration.sources());
    assertEquals(
        List.of(
            new RoleConfig("admin", List.of("events.read", "events.manage")),
            new RoleConfig("analyst", List.of("events.read")),
            new RoleConfig("operator", List.of("events.read", "events.manage"))),
        configuration.roles());
    assertEquals(
        List.of(
            new RlsRuleConfig(
                "orders", "analyst", "region = current_setting('provisa.user_region')")),
        configuration.rlsRules());
    assertEquals(
        List.of(
            new RelationshipConfig(
                "orders-to-customers",
                "customer",
                "orders",
                "customers",
                "customer_id",
                "id",
                RelationshipConfig.Cardinality.MANY_TO_ONE)),
        configuration.relationships());
  }

  @Test
  void tablesMayStandInTheirSourceOrBesideIt() throws Exception {
    List<TableConfig> tables = load(resource("full.yaml")).configuration().tables();

    assertEquals(
        List.of(
            "orders@shop public.orders", "customers@crm crm.customer", "clicks@crm public.clicks"),
        tables.stream().map(t -> t.id() + "@" + t.sourceId() + " " + t.table()).toList());
    TableConfig orders = tables.get(0);
    assertEquals(new TableId("public", "orders"), orders.table());
    assertEquals(
        new TableConfig.LiveConfig(
            Strategy.NATIVE,
            NotifyMode.READER,
            null,
            "updated_at",
            Duration.ofSeconds(30),
            true,
            List.of(
                new OutputConfig(OutputType.SSE, null, null, null, null),
                new OutputConfig(OutputType.KAFKA, "shop.orders", "kafka:9092", "id", "analyst"))),
        orders.live());
    assertEquals(List.of("session", "at"), tables.get(2).keyColumns());
    assertEquals("clicks", tables.get(2).live().topic());
  }

  @Test
  void masksAreReadFlatAndNested() throws Exception {
    List<TableConfig.ColumnConfig> columns =
        load(resource("full.yaml")).configuration().tables().get(0).columns();

    assertEquals(List.of("admin", "analyst"), columns.get(0).visibleTo());
    assertNull(columns.get(1).visibleTo());
    List<String> admin = List.of("admin");
    assertEquals(
        List.of(
            new MaskConfig(MaskType.REGEX, "^(.{2}).*(@.*)$", "$1***$2", null, null, admin),
            new MaskConfig(MaskType.CONSTANT, null, null, "0", null, admin),
            new MaskConfig(MaskType.NULL, null, null, null, null, List.of()),
            new MaskConfig(MaskType.HASH, null, null, null, null, List.of()),
            new MaskConfig(MaskType.TRUNCATE, null, null, null, "month", List.of())),
        columns.stream().skip(1).map(TableConfig.ColumnConfig::mask).toList());
  }

  @Test
  void aConstantMaskIsJson() throws Exception {
    Map<String, String> expected =
        Map.of(
            "0",
            "0",
            "'0'",
            "\"0\"",
            "1.50",
            "1.50",
            "null",
            "null",
            "true",
            "true",
            "'a\"b'",
            "\"a\\\"b\"",
            ".5",
            "\".5\"");
    for (Map.Entry<String, String> value : expected.entrySet()) {
      String yaml =
          SMALL
              + "    columns: [{name: a, mask_type: constant, mask_value: "
              + value.getKey()
              + "}]";
      MaskConfig mask = load(yaml).configuration().tables().get(0).columns().get(0).mask();
      assertNotNull(mask);
      assertEquals(value.getValue(), mask.value(), yaml);
    }
  }

  @Test
  void nullIsAMaskWithAndWithoutQuotes() throws Exception {
    for (String word : List.of("null", "'null'", "\"null\"")) {
      String yaml = SMALL + "    columns: [{name: a, mask_type: " + word + "}]";
      MaskConfig mask = load(yaml).configuration().tables().get(0).columns().get(0).mask();
      assertNotNull(mask, word);
      assertEquals(MaskType.NULL, mask.type());
    }
  }

  @Test
  void whatIsLeftOutHasItsDefault() throws Exception {
    Configuration configuration = load(SMALL).configuration();

    assertEquals(ServerConfig.DEFAULT, configuration.server());
    assertEquals(
        new KafkaConfig("localhost:9092", "", Duration.ofDays(7), 1, "rowcast", Map.of()),
        configuration.kafka());
    assertNull(configuration.secret());
    assertEquals(List.of("admin"), configuration.roles().stream().map(RoleConfig::id).toList());
    TableConfig.LiveConfig live = configuration.tables().get(0).live();
    assertEquals(
        new TableConfig.LiveConfig(
            Strategy.NATIVE, NotifyMode.TRIGGER, null, null, Duration.ofSeconds(30)),
        live);
  }

  @Test
  void aKafkaSourceHasStrategyKafka() throws Exception {
    String yaml =
        """
        sources:
          - id: topics
            type: kafka
            tables: [{id: clicks, key_columns: [id], live: {topic: clicks}}]
        """;
    TableConfig table = load(yaml).configuration().tables().get(0);
    assertEquals(Strategy.KAFKA, table.live().strategy());
  }

  @Test
  void theIdOfATableWithoutOneIsItsName() throws Exception {
    String yaml = SMALL.replace("id: orders", "table: orders");
    assertEquals("orders", load(yaml).configuration().tables().get(0).id());
  }

  @Test
  void adminKeepsItsCapabilitiesWhateverTheFileSays() throws Exception {
    String yaml = SMALL + "roles: [{id: admin, capabilities: [events.read]}]";
    assertEquals(
        List.of(new RoleConfig("admin", List.of("events.read", "events.manage"))),
        load(yaml).configuration().roles());
  }

  @Test
  void variablesAreReplacedInsideValuesOnly() throws Exception {
    String yaml = SMALL + "server: {host: '${env:UNSET:-127.0.0.2}', port: '${env:PORT}'}";
    assertEquals(9000, load(yaml).configuration().server().port());
    assertEquals("127.0.0.2", load(yaml).configuration().server().host());

    String password = SMALL.replace("username: rowcast", "username: ${env:NUMERIC}");
    DatabaseConfig database = load(password).configuration().sources().get(0).database();
    assertNotNull(database);
    assertEquals("12345", database.username());

    String structure = SMALL.replace("username: rowcast", "username: ${env:STRUCTURE}");
    assertEquals(1, load(structure).configuration().roles().size());
    assertTrue(
        load(structure).configuration().sources().get(0).toString().contains("roles: [{id:"));
  }

  @Test
  void anEmptyVariableTakesTheDefault() throws Exception {
    String yaml = SMALL + "server: {host: '${env:EMPTY:-localhost}'}";
    assertEquals("localhost", load(yaml).configuration().server().host());
  }

  @Test
  void durationsHaveUnitsAndNumbersAreSeconds() throws Exception {
    Map<String, Duration> forms =
        Map.of(
            "15s", Duration.ofSeconds(15),
            "500ms", Duration.ofMillis(500),
            "0.5", Duration.ofMillis(500),
            "1h", Duration.ofHours(1),
            "'30'", Duration.ofSeconds(30),
            "1.5m", Duration.ofSeconds(90));
    for (Map.Entry<String, Duration> form : forms.entrySet()) {
      String yaml = SMALL + "server: {heartbeat: " + form.getKey() + "}";
      assertEquals(form.getValue(), load(yaml).configuration().server().heartbeat(), yaml);
    }
  }

  @Test
  void anOutputToKafkaWithoutRoleIsWarnedOf() throws Exception {
    String yaml = SMALL + "    live: {outputs: [{type: kafka, topic: orders}]}";
    assertEquals(
        List.of(
            "rowcast.yaml:9:22: tables[0].live.outputs[0].as: missing, so this output is"
                + " unfiltered: every row, every column, no mask (expected: the role whose rights"
                + " filter it)"),
        load(yaml).warnings().stream()
            .map(Fault::toString)
            .filter(warning -> !warning.contains("not acted on"))
            .toList());
  }

  @Test
  void whatNothingActsOnIsSaid() throws Exception {
    String yaml =
        SMALL
            + """
                live:
                  watermark_column: at
                  poll_interval: 5s
                  accept_notify: true
                  outputs: [{type: sse}]
            relationships: []
            """;
    assertEquals(
        List.of(
            "rowcast.yaml:10:25: tables[0].live.watermark_column: not acted on in this version (expected: to be left out: no table is polled)",
            "rowcast.yaml:11:22: tables[0].live.poll_interval: not acted on in this version (expected: to be left out: no table is polled)",
            "rowcast.yaml:12:22: tables[0].live.accept_notify: not acted on in this version (expected: to be left out: no NOTIFY's payload is taken as a row)",
            "rowcast.yaml:13:16: tables[0].live.outputs: not acted on in this version (expected: to be left out: nothing is written there, and streams serve every table)",
            "rowcast.yaml:14:16: relationships: not acted on in this version (expected: to be kept only for what is to come)"),
        load(yaml).warnings().stream().map(Fault::toString).toList());
  }

  @Test
  void aTableWithoutARuleIsNamedWhereThereAreRolesToRule() throws Exception {
    assertEquals(List.of(), load(SMALL).warnings());
    String roles = SMALL + "roles: [{id: analyst}]\n";
    assertEquals(
        List.of(
            "rowcast.yaml:7:5: tables[0]: no rule in rls_rules, so every role sees all its rows"
                + " (expected: a rule per role that may read it, 'true' for all rows)"),
        load(roles).warnings().stream().map(Fault::toString).toList());
    String rule = "rls_rules: [{table_id: orders, role_id: analyst, filter: 'true'}]\n";
    assertEquals(List.of(), load(roles + rule).warnings());
  }

  @Test
  void secretsAreNotShown() throws Exception {
    String yaml =
        SMALL.replace("username: rowcast", "username: rowcast\n    password: hush")
            + "secret: hushhushhushhushhushhushhushhush\n"
            + "kafka: {properties: {sasl.jaas.config: hush}}\n";
    assertFalse(load(yaml).configuration().toString().contains("hush"));
  }

  @Test
  void filesAreReadInUtf8WithOrWithoutByteOrderMark(@TempDir Path folder) throws Exception {
    Path file = folder.resolve("rowcast.yaml");
    Files.writeString(file, "\uFEFF" + SMALL.replace("orders", "größen"));
    Configuration configuration = new ConfigurationLoader(Map.of()).load(file).configuration();
    assertEquals("größen", configuration.tables().get(0).id());
  }

  @Test
  void unreadableFilesAreFaults(@TempDir Path folder) throws Exception {
    Path file = folder.resolve("rowcast.yaml");
    ConfigurationLoader loader = new ConfigurationLoader(Map.of());
    assertEquals(
        file + ": no such file (expected: a readable rowcast.yaml)",
        assertThrows(InvalidConfigurationException.class, () -> loader.load(file)).getMessage());
    Files.write(file, new byte[] {'a', (byte) 0xff});
    assertEquals(
        file + ": not UTF-8 (expected: a text file in UTF-8)",
        assertThrows(InvalidConfigurationException.class, () -> loader.load(file)).getMessage());
  }

  @Test
  void partsCanBeReplaced() throws Exception {
    Configuration configuration = load(SMALL).configuration();
    Configuration changed =
        configuration
            .withServer(configuration.server().withHost("0.0.0.0").withPort(0))
            .withKafka(configuration.kafka().withBootstrapServers("k:1").withNodeId("n"))
            .withConnect(new ConnectConfig(URI.create("http://c:1")))
            .withSecret(new Secret("s"))
            .withSources(
                List.of(
                    configuration
                        .sources()
                        .get(0)
                        .withDatabase(new DatabaseConfig("jdbc:x", "u", new Secret("p")))));
    assertEquals(0, changed.server().port());
    assertEquals("k:1", changed.kafka().bootstrapServers());
    assertEquals("n", changed.kafka().nodeId());
    assertEquals(URI.create("http://c:1"), changed.connect().url());
    assertEquals(configuration.tables(), changed.tables());
  }

  static LoadedConfiguration load(String yaml) throws InvalidConfigurationException {
    return new ConfigurationLoader(ENVIRONMENT).load("rowcast.yaml", yaml);
  }

  static String resource(String name) throws IOException {
    try (InputStream in = ConfigurationLoaderTest.class.getResourceAsStream(name)) {
      assertNotNull(in, name);
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
