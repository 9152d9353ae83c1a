package dev.rowcast.edge.stream;

import org.jspecify.annotations.Nullable;

/**
 * Which stream a path means.
 *
 * @param template the route's name in metrics
 * @param table the one table; null for all
 */
record StreamRoute(String template, @Nullable String table) {
  static final String ALLOW = "GET, HEAD, OPTIONS";

  private static final String EVENTS = "/events/stream";
  private static final String SUBSCRIBE = "/data/subscribe/";

  /**
   * The stream of a path.
   *
   * @param path decoded and without dot segments, but for {@code %25} and {@code %2F}
   * @return null for any other path
   */
  static @Nullable StreamRoute match(String path) {
    if (path.equals(EVENTS) || path.equals("/api/ddl" + EVENTS)) {
      return new StreamRoute(EVENTS, null);
    }
    if (path.startsWith(SUBSCRIBE)) {
      String table = path.substring(SUBSCRIBE.length());
      if (!table.isEmpty() && table.indexOf('/') < 0) {
        return new StreamRoute(SUBSCRIBE + "{table}", table.replace("%25", "%"));
      }
    }
    return null;
  }
}
