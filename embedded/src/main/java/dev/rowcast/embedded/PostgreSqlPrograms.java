package dev.rowcast.embedded;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.JarURLConnection;
import java.net.URL;
import java.net.URLConnection;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Locale;
import java.util.zip.CRC32;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.apache.commons.compress.compressors.xz.XZCompressorInputStream;
import org.jspecify.annotations.Nullable;

/**
 * PostgreSQL's own programs, unpacked once per version from the archive on the class path. Several
 * processes may unpack at the same time: each into a folder of its own, the first to finish wins.
 */
final class PostgreSqlPrograms {
  /** The server's name under which pg_ctl is to start it, see the script. */
  static final String GUARDED = "postgres-guarded";

  private static final String SCRIPT = "postgres-guarded.sh";

  private final Path bin;

  private PostgreSqlPrograms(Path bin) {
    this.bin = bin;
  }

  /** The path of a program, {@code pg_ctl} for one. */
  Path program(String name) {
    return bin.resolve(name);
  }

  /**
   * @param folder where to unpack, null for the user's cache
   * @param unprivileged who will run them
   * @throws EmbeddedStartException if there is none for this machine or it can't be unpacked
   */
  static PostgreSqlPrograms unpacked(@Nullable Path folder, Unprivileged unprivileged) {
    String archive = archiveName();
    URL resource = PostgreSqlPrograms.class.getResource("/" + archive);
    if (resource == null) {
      throw new EmbeddedStartException(
          "there is no PostgreSQL for this machine on the class path: "
              + archive
              + " (expected: Linux or macOS on x86-64 or ARM64; elsewhere name a database of your"
              + " own)");
    }
    Path cache = folder == null ? cacheOf(unprivileged) : folder;
    try {
      Path home = Files.createDirectories(cache).toRealPath().resolve(folderName(resource));
      Path bin = home.resolve("bin");
      if (!Files.isExecutable(bin.resolve(GUARDED))) {
        unpack(resource, home);
      }
      return new PostgreSqlPrograms(bin);
    } catch (IOException e) {
      throw new EmbeddedStartException(
          "cannot unpack PostgreSQL into " + cache + ": " + e + " (expected: a writable folder)",
          e);
    }
  }

  private static String archiveName() {
    String os = System.getProperty("os.name").toLowerCase(Locale.ROOT);
    String arch = System.getProperty("os.arch");
    return "postgres-"
        + (os.startsWith("mac") ? "darwin" : os.replace(' ', '_'))
        + "-"
        + switch (arch) {
          case "amd64", "x86_64" -> "x86_64";
          case "aarch64", "arm64" -> "arm_64";
          default -> arch;
        }
        + ".txz";
  }

  private static Path cacheOf(Unprivileged unprivileged) {
    // the programs look for each other with access(2), so nobody can't use what lies in root's home
    return unprivileged.giveFiles() ? Path.of("/var/cache/rowcast") : userCache();
  }

  private static Path userCache() {
    Path home = Path.of(System.getProperty("user.home"));
    String xdg = System.getenv("XDG_CACHE_HOME");
    Path cache;
    if (xdg != null && !xdg.isBlank()) {
      cache = Path.of(xdg);
    } else if (Files.isDirectory(home.resolve("Library/Caches"))) {
      cache = home.resolve("Library/Caches");
    } else {
      cache = home.resolve(".cache");
    }
    return cache.resolve("rowcast");
  }

  /** Another archive is another folder, and so is another script of ours beside its programs. */
  private static String folderName(URL resource) throws IOException {
    CRC32 script = new CRC32();
    script.update(Resources.text(SCRIPT).getBytes(StandardCharsets.UTF_8));
    return archiveFolderName(resource) + "-" + Long.toHexString(script.getValue());
  }

  /** The jar knows the checksum of what it holds. */
  private static String archiveFolderName(URL resource) throws IOException {
    URLConnection connection = resource.openConnection();
    connection.setUseCaches(false);
    if (connection instanceof JarURLConnection jar) {
      try (var file = jar.getJarFile()) {
        return "postgresql-" + Long.toHexString(file.getEntry(jar.getEntryName()).getCrc());
      }
    }
    try (InputStream in = connection.getInputStream()) {
      return "postgresql-" + connection.getContentLengthLong() + "-" + in.available();
    }
  }

  private static void unpack(URL resource, Path home) throws IOException {
    Path fresh = Files.createTempDirectory(home.getParent(), "unpacking-");
    try {
      try (TarArchiveInputStream tar =
          new TarArchiveInputStream(
              new XZCompressorInputStream(new BufferedInputStream(resource.openStream())))) {
        for (TarArchiveEntry entry = tar.getNextEntry();
            entry != null;
            entry = tar.getNextEntry()) {
          unpack(tar, entry, fresh);
        }
      }
      Path guarded = fresh.resolve("bin").resolve(GUARDED);
      Files.writeString(guarded, Resources.text(SCRIPT));
      Files.setPosixFilePermissions(guarded, PosixFilePermissions.fromString("rwxr-xr-x"));
      Files.setPosixFilePermissions(fresh, PosixFilePermissions.fromString("rwxr-xr-x"));
      FileTree.delete(home);
      Files.move(fresh, home, StandardCopyOption.ATOMIC_MOVE);
    } catch (FileAlreadyExistsException | DirectoryNotEmptyException e) {
      FileTree.delete(fresh);
    } catch (IOException e) {
      FileTree.delete(fresh);
      throw e;
    }
  }

  private static void unpack(TarArchiveInputStream tar, TarArchiveEntry entry, Path root)
      throws IOException {
    Path target = root.resolve(entry.getName()).normalize();
    if (!target.startsWith(root)) {
      throw new IOException("entry outside the archive: " + entry.getName());
    }
    if (entry.isDirectory()) {
      Files.createDirectories(target);
      return;
    }
    Files.createDirectories(target.getParent());
    if (entry.isSymbolicLink()) {
      Files.createSymbolicLink(target, Path.of(entry.getLinkName()));
    } else if (entry.isLink()) {
      Files.createLink(target, root.resolve(entry.getLinkName()).normalize());
    } else {
      Files.copy(tar, target);
      boolean executable = (entry.getMode() & 0100) != 0;
      Files.setPosixFilePermissions(
          target, PosixFilePermissions.fromString(executable ? "rwxr-xr-x" : "rw-r--r--"));
    }
  }
}
