package dev.rowcast.embedded;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The files of one PostgreSQL cluster: made whole or not at all, freed of a left-over server, and
 * given the settings of this start. Used by one thread, with the directory locked.
 */
final class PostgreSqlCluster {
  private static final Logger LOG = LoggerFactory.getLogger(PostgreSqlCluster.class);
  private static final String SETTINGS_FILE = "rowcast.conf";

  private final Path directory;
  private final Path data;
  private final PostgreSqlPrograms programs;
  private final Unprivileged unprivileged;

  PostgreSqlCluster(Path directory, PostgreSqlPrograms programs, Unprivileged unprivileged) {
    this.directory = directory;
    this.data = directory.resolve("data");
    this.programs = programs;
    this.unprivileged = unprivileged;
  }

  /**
   * Leaves a cluster that is ready for a server.
   *
   * @throws EmbeddedStartException if it can't be
   */
  void prepare(String user, String password, int port, Map<String, String> settings) {
    try {
      if (Files.exists(data.resolve("PG_VERSION"))) {
        requireSameMajor();
        stopLeftOver();
      } else {
        create(user, password);
      }
      Files.writeString(data.resolve(SETTINGS_FILE), settings(port, settings));
      keepOneLog();
      unprivileged.own(directory);
    } catch (IOException e) {
      throw new EmbeddedStartException(
          "PostgreSQL can't use " + directory + ": " + e.getMessage(), e);
    }
  }

  /** Where the cluster lies. */
  Path data() {
    return data;
  }

  /** What the server says. */
  Path log() {
    return directory.resolve("server.log");
  }

  /** The command that starts the server and returns once it accepts connections. */
  List<String> startCommand(int timeoutSeconds) {
    return unprivileged.command(
        List.of(
            "sh",
            "-c",
            Resources.text("postgres-start.sh"),
            "sh",
            pgCtl(),
            "start",
            "--silent",
            "--wait",
            "--timeout=" + timeoutSeconds,
            "--pgdata=" + data,
            "--log=" + log(),
            "-p",
            programs.program(PostgreSqlPrograms.GUARDED).toString()));
  }

  private String pgCtl() {
    return programs.program("pg_ctl").toString();
  }

  private void requireSameMajor() throws IOException {
    String written = Files.readString(data.resolve("PG_VERSION")).trim();
    String version =
        run(List.of(programs.program("postgres").toString(), "--version"), "tell its version");
    String major = version.replaceAll("(?s)^\\D*(\\d+).*$", "$1");
    if (!written.equals(major)) {
      throw new EmbeddedStartException(
          data
              + " was written by PostgreSQL "
              + written
              + ", this is "
              + major
              + " (expected: "
              + major
              + "; dump it with the old version, or choose another directory)");
    }
  }

  /**
   * The watcher of a killed process stops its server within moments; this covers the moments, and a
   * watcher that was killed too. We hold the directory's lock, so the server is nobody's.
   */
  private void stopLeftOver() throws IOException {
    Postmaster postmaster = Postmaster.of(data).orElse(null);
    if (postmaster == null) {
      return;
    }
    if (postmaster.running().isEmpty()) {
      // else PostgreSQL would take whoever has the number now for a server of this cluster
      Files.deleteIfExists(data.resolve(Postmaster.FILE));
      return;
    }
    LOG.info("Stopping PostgreSQL {}, left behind in {}", postmaster.pid(), data);
    try {
      stop("fast");
    } catch (EmbeddedStartException e) {
      stop("immediate");
    }
  }

  /**
   * No fault if the server is gone before pg_ctl gets to it: its watcher may be the quicker one.
   */
  void stop(String mode) throws IOException {
    try {
      run(
          List.of(
              pgCtl(), "stop", "--silent", "--mode=" + mode, "--timeout=10", "--pgdata=" + data),
          "stop the server left behind in " + data);
    } catch (EmbeddedStartException e) {
      if (Postmaster.of(data).isPresent()) {
        throw e;
      }
      LOG.debug("The server in {} was gone already", data, e);
    }
  }

  /** An interrupted initdb leaves a half: so aside first, then in place at once. */
  private void create(String user, String password) throws IOException {
    Path fresh = directory.resolve("data.new");
    Path passwordFile = directory.resolve("password.new");
    FileTree.delete(data);
    FileTree.delete(fresh);
    try {
      Files.deleteIfExists(passwordFile);
      Files.createFile(
          passwordFile,
          PosixFilePermissions.asFileAttribute(
              Set.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE)));
      Files.writeString(passwordFile, password + "\n");
      unprivileged.own(directory);
      run(
          List.of(
              programs.program("initdb").toString(),
              "--pgdata=" + fresh,
              "--username=" + user,
              "--pwfile=" + passwordFile,
              "--auth=scram-sha-256",
              "--encoding=UTF8",
              "--locale-provider=builtin",
              "--builtin-locale=C.UTF-8",
              "--locale=C",
              "--no-instructions"),
          "make a cluster in " + directory);
    } finally {
      Files.deleteIfExists(passwordFile);
    }
    Files.writeString(
        fresh.resolve("postgresql.conf"),
        "\ninclude '" + SETTINGS_FILE + "'\n",
        StandardOpenOption.APPEND);
    Files.move(fresh, data);
  }

  private static String settings(int port, Map<String, String> overrides) {
    Map<String, String> settings = new TreeMap<>();
    settings.put("listen_addresses", Ports.HOST);
    settings.put("port", Integer.toString(port));
    settings.put("unix_socket_directories", "");
    settings.put("fsync", "on");
    settings.put("synchronous_commit", "on");
    settings.put("full_page_writes", "on");
    settings.put("timezone", "UTC");
    settings.put("log_timezone", "UTC");
    settings.put("log_checkpoints", "off");
    settings.put("shared_buffers", "32MB");
    settings.put("max_connections", "60");
    settings.put("max_wal_size", "512MB");
    settings.put("max_parallel_workers_per_gather", "0");
    settings.put("jit", "off");
    settings.putAll(overrides);
    return settings.entrySet().stream()
        .map(e -> e.getKey() + " = '" + e.getValue().replace("'", "''") + "'\n")
        .collect(Collectors.joining("", "# written anew at each start\n", ""));
  }

  /** The log of this start begins empty, so that what is quoted from it is of this start. */
  private void keepOneLog() throws IOException {
    if (Files.exists(log())) {
      Files.move(log(), directory.resolve("server.log.1"), StandardCopyOption.REPLACE_EXISTING);
    }
    Files.createFile(log());
  }

  private String run(List<String> command, String purpose) throws IOException {
    Process process =
        new ProcessBuilder(unprivileged.command(command)).redirectErrorStream(true).start();
    process.getOutputStream().close();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    try {
      if (!process.waitFor(120, TimeUnit.SECONDS) || process.exitValue() != 0) {
        throw new EmbeddedStartException(
            "PostgreSQL can't " + purpose + ": " + output.strip() + " (" + command.get(0) + ")");
      }
      return output;
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
      throw new EmbeddedStartException("PostgreSQL can't " + purpose + ": interrupted", e);
    }
  }
}
