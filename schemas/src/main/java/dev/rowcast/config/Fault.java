package dev.rowcast.config;

/**
 * One thing that is wrong, or at least doubtful, in a configuration, and its mend.
 *
 * @param file the file's name, as the caller gave it
 * @param line 1-based; 0 where the file as a whole is meant
 * @param column 1-based, in characters; 0 where the file as a whole is meant
 * @param path which value, as {@code tables[2].live.strategy}; empty for the whole
 * @param problem what is wrong; never a password or other secret
 * @param expected what was expected instead: the mend
 */
public record Fault(
    String file, int line, int column, String path, String problem, String expected) {

  /** {@code file:line:column: path: problem (expected: mend)}, which editors can follow. */
  @Override
  public String toString() {
    String where = line == 0 ? file : file + ":" + line + ":" + column;
    String what = path.isEmpty() ? problem : path + ": " + problem;
    return where + ": " + what + " (expected: " + expected + ")";
  }
}
