package dev.rowcast.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.networknt.schema.InputFormat;
import dev.rowcast.schemas.Schemas;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class ConfigurationSchemaTest {
  private static final String SCHEMA = "config.schema.json";

  /** An unknown key at each level, by the name of the level's schema. */
  private static final Map<String, String> UNKNOWN =
      new TreeMap<>(
          Map.ofEntries(
              Map.entry("", "qqqqqqq: 1"),
              Map.entry("server", "server: {qqqqqqq: 1}"),
              Map.entry("kafka", "kafka: {qqqqqqq: 1}"),
              Map.entry("connect", "connect: {qqqqqqq: 1}"),
              Map.entry("auth", "auth: {qqqqqqq: 1}"),
              Map.entry("jwt", "auth: {jwt: [{qqqqqqq: 1}]}"),
              Map.entry("source", "sources: [{qqqqqqq: 1}]"),
              Map.entry("cdc", "sources: [{cdc: {qqqqqqq: 1}}]"),
              Map.entry("table", "tables: [{qqqqqqq: 1}]"),
              Map.entry("column", "tables: [{columns: [{qqqqqqq: 1}]}]"),
              Map.entry("mask", "tables: [{columns: [{mask: {qqqqqqq: 1}}]}]"),
              Map.entry("live", "tables: [{live: {qqqqqqq: 1}}]"),
              Map.entry("output", "tables: [{live: {outputs: [{qqqqqqq: 1}]}}]"),
              Map.entry("role", "roles: [{qqqqqqq: 1}]"),
              Map.entry("rls_rule", "rls_rules: [{qqqqqqq: 1}]"),
              Map.entry("relationship", "relationships: [{qqqqqqq: 1}]")));

  @Test
  void schemaAndLoaderKnowTheSameKeys() {
    JsonNode schema = Schemas.json(SCHEMA);
    TreeSet<String> levels = new TreeSet<>(names(schema.path("$defs")));
    levels.remove("duration");
    levels.add("");
    assertEquals(levels, new TreeSet<>(UNKNOWN.keySet()));
    UNKNOWN.forEach(
        (level, yaml) -> {
          JsonNode described = level.isEmpty() ? schema : schema.path("$defs").path(level);
          assertEquals(new TreeSet<>(names(described.path("properties"))), knownKeys(yaml), level);
        });
  }

  private static Set<String> knownKeys(String yaml) {
    Fault fault =
        assertThrows(InvalidConfigurationException.class, () -> ConfigurationLoaderTest.load(yaml))
            .faults()
            .stream()
            .filter(f -> f.problem().equals("unknown key 'qqqqqqq'"))
            .findFirst()
            .orElseThrow();
    String keys = fault.expected().replace("one of ", "");
    return new TreeSet<>(Arrays.asList(keys.split(", ", -1)));
  }

  @Test
  void theSchemaAcceptsWhatTheLoaderAccepts() throws Exception {
    for (String yaml :
        List.of(ConfigurationLoaderTest.resource("full.yaml"), ConfigurationLoaderTest.SMALL)) {
      assertNotNull(ConfigurationLoaderTest.load(yaml));
      assertEquals(List.of(), Schemas.violations(SCHEMA, yaml, InputFormat.YAML));
    }
    UNKNOWN.forEach(
        (level, yaml) ->
            assertTrue(
                Schemas.violations(SCHEMA, yaml, InputFormat.YAML).stream()
                    .anyMatch(violation -> violation.contains("qqqqqqq")),
                level));
  }

  @Test
  void defaultsAreThoseOfTheLoader() throws Exception {
    JsonNode defs = Schemas.json(SCHEMA).path("$defs");
    StringBuilder yaml = new StringBuilder(ConfigurationLoaderTest.SMALL);
    for (String section : List.of("server", "kafka", "connect")) {
      yaml.append(section).append(": {");
      for (Map.Entry<String, JsonNode> key : defs.path(section).path("properties").properties()) {
        if (key.getValue().has("default")) {
          yaml.append(key.getKey()).append(": ").append(key.getValue().get("default")).append(", ");
        }
      }
      yaml.append("}\n");
    }
    assertEquals(
        ConfigurationLoaderTest.load(ConfigurationLoaderTest.SMALL).configuration(),
        ConfigurationLoaderTest.load(yaml.toString()).configuration());
  }

  @Test
  void everyKeyIsDescribed() {
    JsonNode schema = Schemas.json(SCHEMA);
    schema
        .findValues("properties")
        .forEach(
            properties ->
                properties
                    .properties()
                    .forEach(
                        key ->
                            assertFalse(
                                key.getValue().path("description").asText().isEmpty()
                                    && !key.getValue().has("$ref"),
                                key.getKey())));
  }

  private static List<String> names(JsonNode object) {
    List<String> names = new ArrayList<>();
    object.fieldNames().forEachRemaining(names::add);
    return names;
  }
}
