package dev.rowcast.edge;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;

/**
 * Where HTTP is to be served. What is free here may be taken a moment later: {@link Edge#start}
 * reports that itself. Stateless; thread-safe.
 */
public final class ListeningAddress {
  private ListeningAddress() {}

  /**
   * Tries whether one could listen there, before anything is started that would have to be stopped
   * again.
   *
   * @param port 0..65535; 0, any free one, always can be had
   * @throws CannotListenException if the port is taken, the host isn't one of this machine's, or
   *     there is no right to the port
   */
  public static void requireFree(String host, int port) {
    try (ServerSocket probe = new ServerSocket()) {
      probe.setReuseAddress(true); // as the server itself: a former one's connections don't count
      // the first, which is the server's as well
      probe.bind(new InetSocketAddress(InetAddress.getAllByName(host)[0], port));
    } catch (IOException e) {
      throw new CannotListenException(host, port, e);
    }
  }
}
