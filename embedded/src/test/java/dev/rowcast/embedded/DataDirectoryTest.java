package dev.rowcast.embedded;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DataDirectoryTest {
  @TempDir Path folder;

  @Test
  void secondOpenNamesTheProcessThatHasIt() {
    try (DataDirectory first = DataDirectory.open(folder.resolve("data"))) {
      EmbeddedStartException refused =
          assertThrows(EmbeddedStartException.class, () -> DataDirectory.open(first.root()));
      assertTrue(
          refused
              .getMessage()
              .startsWith(
                  first.root() + " is in use by process " + ProcessHandle.current().pid() + " "),
          refused.getMessage());
    }
  }

  @Test
  void refusedOpenDoesNotLoosenTheLock() {
    try (DataDirectory first = DataDirectory.open(folder)) {
      assertThrows(EmbeddedStartException.class, () -> DataDirectory.open(first.root()));
      assertThrows(EmbeddedStartException.class, () -> DataDirectory.open(first.root()));
    }
  }

  @Test
  void closedDirectoryOpensAgain() {
    DataDirectory.open(folder).close();
    try (DataDirectory again = DataDirectory.open(folder)) {
      assertEquals(again.root().resolve("kafka"), again.kafka());
    }
  }

  @Test
  void tooFullDiskIsRefusedWithWhatIsFreeAndExpected() {
    EmbeddedStartException refused =
        assertThrows(
            EmbeddedStartException.class, () -> DataDirectory.open(folder, Long.MAX_VALUE));
    assertTrue(
        refused
            .getMessage()
            .matches("the disk of .* is too full: \\d+ MiB free \\(expected: at least \\d+ MiB\\)"),
        refused.getMessage());
    DataDirectory.open(folder).close();
  }

  @Test
  void fileInPlaceOfTheDirectoryIsRefused() throws IOException {
    Path file = Files.createFile(folder.resolve("file"));
    EmbeddedStartException refused =
        assertThrows(EmbeddedStartException.class, () -> DataDirectory.open(file));
    assertTrue(refused.getMessage().startsWith("cannot create " + file), refused.getMessage());
  }
}
