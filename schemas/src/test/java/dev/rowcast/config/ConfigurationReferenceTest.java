package dev.rowcast.config;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.rowcast.schemas.Schemas;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class ConfigurationReferenceTest {
  private static final Path FILE =
      Path.of(System.getProperty("basedir", "."), "..", "docs", "configuration.md");

  @Test
  void theReferenceIsWhatTheSchemaSays() throws IOException {
    String expected = new ConfigurationReference(Schemas.json("config.schema.json")).render();
    if (Boolean.getBoolean("rowcast.docs.write")) {
      Files.createDirectories(FILE.getParent());
      Files.writeString(FILE, expected);
    }
    assertEquals(
        expected,
        Files.exists(FILE) ? Files.readString(FILE) : "",
        "docs/configuration.md is out of date. Write it anew: mvn -pl schemas test"
            + " -Dtest=ConfigurationReferenceTest -Drowcast.docs.write=true");
  }
}
