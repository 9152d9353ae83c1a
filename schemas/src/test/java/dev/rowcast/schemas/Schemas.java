package dev.rowcast.schemas;

import static org.junit.jupiter.api.Assertions.assertNotNull;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.networknt.schema.InputFormat;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/** The module's schema resources, for tests. */
public final class Schemas {
  private static final ObjectMapper JSON = new ObjectMapper();

  private Schemas() {}

  public static String text(String name) {
    try (InputStream in = Schemas.class.getResourceAsStream("/dev/rowcast/schemas/" + name)) {
      assertNotNull(in, name);
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new AssertionError(name, e);
    }
  }

  public static JsonNode json(String name) {
    try {
      return JSON.readTree(text(name));
    } catch (IOException e) {
      throw new AssertionError(name, e);
    }
  }

  public static JsonNode yaml(String name) {
    return JSON.valueToTree(new Load(LoadSettings.builder().build()).loadFromString(text(name)));
  }

  /** What the schema {@code name} has against a document. */
  public static List<String> violations(String name, String document, InputFormat format) {
    return SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
        .getSchema(text(name))
        .validate(document, format)
        .stream()
        .map(error -> error.getInstanceLocation() + ": " + error.getMessage())
        .toList();
  }
}
