package dev.rowcast.config;

import java.time.Duration;
import java.util.List;

/**
 * Where and how HTTP is served: {@code server}.
 *
 * @param host the address to listen on
 * @param port 0..65535; 0 takes any free one
 * @param heartbeat how often a quiet stream says that it lives
 * @param tokenLifetime how long a stream token is good for connecting
 * @param allowedOrigins origins whose pages may read the answers (CORS); empty for none
 * @param maxPageBytes where a page of events is cut
 */
public record ServerConfig(
    String host,
    int port,
    Duration heartbeat,
    Duration tokenLifetime,
    List<String> allowedOrigins,
    int maxPageBytes) {
  /** What holds where the file says nothing. */
  public static final ServerConfig DEFAULT =
      new ServerConfig(
          "127.0.0.1", 8080, Duration.ofSeconds(15), Duration.ofHours(1), List.of(), 1 << 20);

  public ServerConfig {
    allowedOrigins = List.copyOf(allowedOrigins);
  }

  /** The same at another address. */
  public ServerConfig withHost(String host) {
    return new ServerConfig(host, port, heartbeat, tokenLifetime, allowedOrigins, maxPageBytes);
  }

  /** The same on another port. */
  public ServerConfig withPort(int port) {
    return new ServerConfig(host, port, heartbeat, tokenLifetime, allowedOrigins, maxPageBytes);
  }

  /** The same with another heartbeat. */
  public ServerConfig withHeartbeat(Duration heartbeat) {
    return new ServerConfig(host, port, heartbeat, tokenLifetime, allowedOrigins, maxPageBytes);
  }
}
