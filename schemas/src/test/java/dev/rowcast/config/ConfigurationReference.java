package dev.rowcast.config;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Renders {@code config.schema.json} as the Markdown of {@code docs/configuration.md}. */
final class ConfigurationReference {
  private static final String HEAD =
      """
      # Configuration reference

      <!-- Made from schemas/src/main/resources/dev/rowcast/schemas/config.schema.json. Don't edit:
           mvn -pl schemas test -Dtest=ConfigurationReferenceTest -Drowcast.docs.write=true -->

      """;

  private final JsonNode schema;

  ConfigurationReference(JsonNode schema) {
    this.schema = schema;
  }

  String render() {
    StringBuilder out = new StringBuilder(HEAD);
    out.append(schema.path("description").asText()).append("\n\n");
    section(out, "rowcast.yaml", schema, "");
    for (Map.Entry<String, JsonNode> def : schema.path("$defs").properties()) {
      if (def.getValue().has("properties")) {
        section(
            out, title(def.getKey()), def.getValue(), def.getValue().path("description").asText());
      }
    }
    out.append("## Durations\n\n");
    out.append(schema.at("/$defs/duration/description").asText()).append('\n');
    return out.toString();
  }

  /** How the level is reached from the top, as {@code tables[].live.outputs[]}. */
  private static String title(String def) {
    return switch (def) {
      case "source" -> "sources[]";
      case "cdc" -> "sources[].cdc";
      case "table" -> "tables[]";
      case "column" -> "tables[].columns[]";
      case "mask" -> "tables[].columns[].mask";
      case "live" -> "tables[].live";
      case "output" -> "tables[].live.outputs[]";
      case "role" -> "roles[]";
      case "rls_rule" -> "rls_rules[]";
      case "relationship" -> "relationships[]";
      case "jwt" -> "auth.jwt[]";
      default -> def;
    };
  }

  private void section(StringBuilder out, String title, JsonNode level, String description) {
    out.append("## `").append(title).append("`\n\n");
    if (!description.isEmpty()) {
      out.append(description).append("\n\n");
    }
    out.append("| key | type | default | |\n|---|---|---|---|\n");
    List<String> required = new ArrayList<>();
    level.path("required").forEach(name -> required.add(name.asText()));
    for (Map.Entry<String, JsonNode> key : level.path("properties").properties()) {
      JsonNode value = key.getValue();
      out.append("| `").append(key.getKey()).append("` | ").append(type(value)).append(" | ");
      out.append(required.contains(key.getKey()) ? "required" : defaultOf(value)).append(" | ");
      out.append(describe(value).replace("|", "\\|")).append(" |\n");
    }
    out.append('\n');
  }

  private String describe(JsonNode value) {
    JsonNode own = value.path("description");
    return own.isMissingNode() ? resolve(value).path("description").asText() : own.asText();
  }

  private JsonNode resolve(JsonNode value) {
    return value.has("$ref") ? schema.at(value.get("$ref").asText().substring(1)) : value;
  }

  private static String defaultOf(JsonNode value) {
    JsonNode absent = value.path("default");
    if (absent.isMissingNode() || (absent.isContainerNode() && absent.isEmpty())) {
      return "";
    }
    return absent.asText().isEmpty() && absent.isTextual()
        ? "empty"
        : "`" + (absent.isTextual() ? absent.asText() : absent.toString()) + "`";
  }

  private String type(JsonNode value) {
    if (value.path("$ref").asText().equals("#/$defs/duration")) {
      return "[duration](#durations)";
    }
    if (value.has("$ref")) {
      return "mapping";
    }
    if (value.has("enum")) {
      List<String> words = new ArrayList<>();
      value.path("enum").forEach(word -> words.add(word.isNull() ? "" : "`" + word.asText() + "`"));
      words.remove("");
      return String.join(", ", words);
    }
    JsonNode type = value.path("type");
    String first = type.isArray() ? type.get(0).asText() : type.asText();
    return switch (first) {
      case "array" -> "list";
      case "object" -> "mapping";
      case "string" -> type.isArray() ? "any single value" : "text";
      default -> first;
    };
  }
}
