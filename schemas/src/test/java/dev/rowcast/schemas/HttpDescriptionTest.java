package dev.rowcast.schemas;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import com.fasterxml.jackson.databind.JsonNode;
import dev.rowcast.problem.ProblemType;
import dev.rowcast.source.SourceStatus;
import dev.rowcast.source.Strategy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HttpDescriptionTest {
  private final JsonNode openapi = Schemas.yaml("openapi.yaml");

  @Test
  void problemTypesAreThoseOfTheCode() {
    assertEquals(
        Arrays.stream(ProblemType.values()).map(ProblemType::type).toList(),
        texts(openapi.at("/components/schemas/Problem/properties/type/enum")));
  }

  @Test
  void problemStatusesAreThoseOfTheCode() {
    String description = openapi.at("/components/responses/Problem/description").asText();
    List<Integer> told = new ArrayList<>();
    for (String word : description.split("\\D+", -1)) {
      if (!word.isEmpty()) {
        told.add(Integer.valueOf(word));
      }
    }
    assertEquals(
        Arrays.stream(ProblemType.values()).map(ProblemType::status).distinct().sorted().toList(),
        told);
  }

  @Test
  void statesAndStrategiesAreThoseOfTheCode() {
    assertEquals(
        Arrays.stream(SourceStatus.State.values())
            .map(state -> state.name().toLowerCase(Locale.ROOT).replace('_', '-'))
            .toList(),
        texts(
            openapi.at(
                "/components/schemas/Readiness/properties/sources/items/properties/state/enum")));
    assertEquals(
        Arrays.stream(Strategy.values()).map(Strategy::wire).toList(),
        texts(openapi.at("/components/schemas/Table/properties/strategy/enum")));
  }

  @Test
  void eventsHaveTheMembersOfTheirSchema() {
    JsonNode event = Schemas.json("event.schema.json");
    JsonNode described = openapi.at("/components/schemas/Event");
    assertEquals(names(event.path("properties")), names(described.path("properties")));
    assertEquals(texts(event.path("required")), texts(described.path("required")));
  }

  @Test
  void everyPathOfTheContractIsDescribed() {
    assertEquals(
        new TreeSet<>(
            List.of(
                "/api/ddl/events/changes",
                "/api/ddl/events/stream",
                "/api/ddl/events/stream/token",
                "/api/ddl/events/tables",
                "/api/ddl/events/tables/{table}",
                "/api/ddl/keys",
                "/api/ddl/keys/{id}",
                "/api/ddl/policy/dry-run",
                "/api/ddl/policy/explain",
                "/data/subscribe/{table}",
                "/events/stream",
                "/events/stream/token",
                "/health/live",
                "/health/ready",
                "/metrics",
                "/openapi.yaml")),
        new TreeSet<>(names(openapi.path("paths"))));
  }

  @ParameterizedTest
  @ValueSource(strings = {"openapi.yaml", "asyncapi.yaml"})
  void everyReferenceLeadsSomewhere(String name) {
    JsonNode root = Schemas.yaml(name);
    List<JsonNode> references = root.findValues("$ref");
    assertFalse(references.isEmpty());
    for (JsonNode reference : references) {
      assertFalse(
          root.at(reference.asText().substring(1)).isMissingNode(), () -> name + ": " + reference);
    }
  }

  private static List<String> texts(JsonNode array) {
    List<String> texts = new ArrayList<>();
    array.forEach(item -> texts.add(item.asText()));
    return texts;
  }

  private static List<String> names(JsonNode object) {
    List<String> names = new ArrayList<>();
    object.fieldNames().forEachRemaining(names::add);
    return names;
  }
}
