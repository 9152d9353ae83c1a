package dev.rowcast.standalone;

import dev.rowcast.config.Configuration;
import dev.rowcast.config.Secret;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.Base64;

/**
 * The secret of a node whose configuration has none: made once, kept in its state directory, for
 * its owner only. Enough for one node; several need the same one in their configuration.
 */
final class NodeSecret {
  private NodeSecret() {}

  static Secret of(Configuration configuration, Path stateDirectory) {
    Secret configured = configuration.secret();
    return configured != null ? configured : kept(stateDirectory.resolve("secret"));
  }

  private static Secret kept(Path file) {
    try {
      if (!Files.exists(file)) {
        Files.createDirectories(file.toAbsolutePath().getParent());
        byte[] random = new byte[32];
        new SecureRandom().nextBytes(random);
        create(file);
        Files.writeString(file, Base64.getUrlEncoder().withoutPadding().encodeToString(random));
      }
      return new Secret(Files.readString(file));
    } catch (IOException e) {
      throw new UncheckedIOException(file + ": the node's secret can't be kept there", e);
    }
  }

  private static void create(Path file) throws IOException {
    if (file.getFileSystem().supportedFileAttributeViews().contains("posix")) {
      Files.createFile(
          file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    } else {
      Files.createFile(file);
    }
  }
}
