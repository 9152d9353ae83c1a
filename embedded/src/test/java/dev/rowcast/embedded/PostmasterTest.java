package dev.rowcast.embedded;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PostmasterTest {
  @TempDir Path cluster;

  @Test
  void processThatGotTheNumberLaterIsNoPostmaster() throws IOException {
    long other = ProcessHandle.current().pid();
    Files.writeString(
        cluster.resolve(Postmaster.FILE),
        other + "\n/data\n" + Instant.now().getEpochSecond() + "\n5432\n");
    Postmaster postmaster = Postmaster.of(cluster).orElseThrow();
    assertEquals(other, postmaster.pid());
    assertTrue(postmaster.running().isEmpty());
  }

  @Test
  void missingOrTornFileMeansNoPostmaster() throws IOException {
    assertEquals(Optional.empty(), Postmaster.of(cluster));
    Files.writeString(cluster.resolve(Postmaster.FILE), "12");
    assertEquals(Optional.empty(), Postmaster.of(cluster));
  }
}
