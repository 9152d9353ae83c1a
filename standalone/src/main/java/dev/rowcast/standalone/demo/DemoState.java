package dev.rowcast.standalone.demo;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermission;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.EnumSet;
import java.util.function.Supplier;

/**
 * What the demo keeps between starts beside its servers' data: ports, so that pasted lines go on
 * working, and secrets. A JSON file that only its owner may read. Not thread-safe.
 */
final class DemoState {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final SecureRandom RANDOM = new SecureRandom();

  private final Path file;
  private final ObjectNode values;

  private DemoState(Path file, ObjectNode values) {
    this.file = file;
    this.values = values;
  }

  /** Reads the file; a missing one is an empty state. */
  static DemoState load(Path file) {
    try {
      JsonNode values = Files.exists(file) ? JSON.readTree(file.toFile()) : JSON.createObjectNode();
      if (!(values instanceof ObjectNode object)) {
        throw new IllegalStateException(
            file + ": not a JSON object (expected: the demo's state; delete it to start anew)");
      }
      return new DemoState(file, object);
    } catch (IOException e) {
      throw new UncheckedIOException(file + ": not readable (expected: the demo's state)", e);
    }
  }

  private int port(String name) {
    return values.path("ports").path(name).asInt(0);
  }

  /** The port that was used last time, so that pasted lines stay right; 0 where it is taken now. */
  int portIfFree(String name) {
    int port = port(name);
    if (port == 0) {
      return 0;
    }
    try (ServerSocket probe = new ServerSocket()) {
      probe.setReuseAddress(true);
      probe.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
      return port;
    } catch (IOException e) {
      return 0;
    }
  }

  void setPort(String name, int port) {
    values.withObjectProperty("ports").put(name, port);
  }

  /** A secret of 256 random bits, the same at every start. */
  String secret(String name) {
    return text(name, DemoState::random);
  }

  /** A value that is made once. */
  String text(String name, Supplier<String> first) {
    ObjectNode secrets = values.withObjectProperty("secrets");
    if (!secrets.path(name).isTextual()) {
      secrets.put(name, first.get());
    }
    return secrets.path(name).asText();
  }

  void save() {
    writePrivately(file, values);
  }

  static String random() {
    byte[] bytes = new byte[32];
    RANDOM.nextBytes(bytes);
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }

  /**
   * Writes a JSON file whole or not at all, readable by its owner only where the system can say so.
   */
  static void writePrivately(Path file, JsonNode json) {
    try {
      Path fresh =
          Files.createTempFile(
              file.toAbsolutePath().getParent(), file.getFileName().toString(), ".tmp");
      if (fresh.getFileSystem().supportedFileAttributeViews().contains("posix")) {
        Files.setPosixFilePermissions(
            fresh, EnumSet.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE));
      }
      JSON.writerWithDefaultPrettyPrinter().writeValue(fresh.toFile(), json);
      try {
        Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE);
      } catch (AtomicMoveNotSupportedException e) {
        Files.move(fresh, file, StandardCopyOption.REPLACE_EXISTING);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(file + ": could not be written", e);
    }
  }
}
