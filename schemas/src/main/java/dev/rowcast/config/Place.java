package dev.rowcast.config;

/**
 * Where a value stands in the file.
 *
 * @param path as in {@link Fault#path()}
 * @param line 1-based; 0 for the file as a whole
 * @param column 1-based; 0 for the file as a whole
 */
record Place(String path, int line, int column) {
  static final Place FILE = new Place("", 0, 0);

  String child(String key) {
    return path.isEmpty() ? key : path + "." + key;
  }

  String item(int index) {
    return path + "[" + index + "]";
  }

  /** The place of a member that isn't there: its path, where it would belong. */
  Place missing(String key) {
    return new Place(child(key), line, column);
  }
}
