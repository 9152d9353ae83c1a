package dev.rowcast.embedded;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;

/**
 * Loopback ports. What is free here may be taken a moment later: servers report that themselves.
 */
final class Ports {
  /** The one address every embedded server listens on. */
  static final String HOST = "127.0.0.1";

  private Ports() {}

  /**
   * The port asked for, or a free one for 0.
   *
   * @param server whose port it is, for the message
   * @throws EmbeddedStartException if it is taken or not a port
   */
  static int resolve(int port, String server) {
    if (port < 0 || port > 65_535) {
      throw new EmbeddedStartException(
          "port for " + server + ": " + port + " (expected: 1 to 65535, or 0 for a free one)");
    }
    try (ServerSocket socket = new ServerSocket()) {
      socket.setReuseAddress(true);
      socket.bind(new InetSocketAddress(InetAddress.getByAddress(new byte[] {127, 0, 0, 1}), port));
      return socket.getLocalPort();
    } catch (IOException e) {
      throw new EmbeddedStartException(
          "port "
              + port
              + " for "
              + server
              + " can't be had on "
              + HOST
              + ": "
              + e.getMessage()
              + " (expected: a free port, or 0 to choose one)",
          e);
    }
  }
}
