package dev.rowcast.embedded;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class EmbeddedStackIT {
  @Test
  void temporaryStackIsGoneOnceClosed() {
    Path root;
    long server;
    try (EmbeddedStack stack = EmbeddedStack.temporary()) {
      root = stack.directory().root();
      server = stack.postgreSql().pid();
      assertSame(stack.kafka(), stack.kafka());
      assertTrue(Files.isDirectory(stack.directory().kafka()));
    }
    assertFalse(Files.exists(root));
    await()
        .atMost(15, TimeUnit.SECONDS)
        .until(() -> ProcessHandle.of(server).filter(ProcessHandle::isAlive).isEmpty());
  }

  @Test
  void closedStackStartsNothing() {
    EmbeddedStack stack = EmbeddedStack.temporary();
    stack.close();
    stack.close();
    assertThrows(IllegalStateException.class, stack::postgreSql);
  }
}
