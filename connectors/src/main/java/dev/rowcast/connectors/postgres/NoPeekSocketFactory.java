package dev.rowcast.connectors.postgres;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import javax.net.SocketFactory;

/**
 * Sockets that answer pgjdbc's peek for more notifications at once. After each notification the
 * driver sets a timeout of 1 ms and reads, to see whether another one follows: 1 ms of latency per
 * wake. Here such a read looks at what has arrived and doesn't wait. Named in the connection's
 * {@code socketFactory}; public because the driver creates it.
 */
public final class NoPeekSocketFactory extends SocketFactory {
  private static final int PEEK_MILLIS = 1;

  @Override
  public Socket createSocket() {
    return new NoPeekSocket();
  }

  @Override
  public Socket createSocket(String host, int port) {
    throw new UnsupportedOperationException("the driver connects its sockets itself");
  }

  @Override
  public Socket createSocket(String host, int port, InetAddress localHost, int localPort) {
    return createSocket(host, port);
  }

  @Override
  public Socket createSocket(InetAddress host, int port) {
    return createSocket(host.getHostAddress(), port);
  }

  @Override
  public Socket createSocket(InetAddress address, int port, InetAddress local, int localPort) {
    return createSocket(address.getHostAddress(), port);
  }

  private static final class NoPeekSocket extends Socket {
    private volatile int timeoutMillis;

    @Override
    public synchronized void setSoTimeout(int millis) throws SocketException {
      timeoutMillis = millis;
      if (millis != PEEK_MILLIS) {
        super.setSoTimeout(millis);
      }
    }

    @Override
    public synchronized int getSoTimeout() {
      return timeoutMillis;
    }

    @Override
    public InputStream getInputStream() throws IOException {
      return new FilterInputStream(super.getInputStream()) {
        @Override
        public int read(byte[] bytes, int offset, int length) throws IOException {
          if (timeoutMillis == PEEK_MILLIS && in.available() == 0) {
            throw new SocketTimeoutException("nothing has arrived");
          }
          return in.read(bytes, offset, length);
        }
      };
    }
  }
}
