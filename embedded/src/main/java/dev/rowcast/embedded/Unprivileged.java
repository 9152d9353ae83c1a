package dev.rowcast.embedded;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * How to run a program that refuses to run as root. As anybody else: as it is. As root: in a user
 * namespace of its own, where root is nobody but still owns its files; where the kernel or a
 * container forbids that, as {@code nobody}, who is then given the files and may pass folders that
 * belong to root. Immutable.
 *
 * @param prefix words before the command
 * @param giveFiles whether the program's files have to belong to {@code nobody}
 */
record Unprivileged(List<String> prefix, boolean giveFiles) {
  static final Unprivileged AS_IS = new Unprivileged(List.of(), false);
  static final Unprivileged USER_NAMESPACE = new Unprivileged(List.of("unshare", "-U"), false);
  static final Unprivileged NOBODY =
      new Unprivileged(
          List.of(
              "setpriv",
              "--reuid=65534",
              "--regid=65534",
              "--clear-groups",
              "--inh-caps=+dac_override",
              "--ambient-caps=+dac_override"),
          true);

  /**
   * @throws EmbeddedStartException if this is root and there is no way not to be
   */
  static Unprivileged choose() {
    if (!"root".equals(System.getProperty("user.name"))) {
      return AS_IS;
    }
    for (Unprivileged way : List.of(USER_NAMESPACE, NOBODY)) {
      if (way.works()) {
        return way;
      }
    }
    throw new EmbeddedStartException(
        "PostgreSQL refuses to run as root, and neither unshare -U nor setpriv works here"
            + " (expected: another user, or a database of your own)");
  }

  /** The command with the words before it. */
  List<String> command(List<String> command) {
    List<String> all = new ArrayList<>(prefix);
    all.addAll(command);
    return all;
  }

  /** Gives a file or folder, with all that is in it, to the user the program will run as. */
  void own(Path path) throws IOException {
    if (giveFiles && run(List.of("chown", "-R", "65534:65534", path.toString())) != 0) {
      throw new IOException("cannot give " + path + " to nobody");
    }
  }

  private boolean works() {
    try {
      return run(command(List.of("true"))) == 0;
    } catch (IOException e) {
      return false;
    }
  }

  private static int run(List<String> command) throws IOException {
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    try {
      if (process.waitFor(30, TimeUnit.SECONDS)) {
        return process.exitValue();
      }
      process.destroyForcibly();
      throw new IOException(command + " hangs");
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
      throw new IOException(command + " interrupted", e);
    }
  }
}
