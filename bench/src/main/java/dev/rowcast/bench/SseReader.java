package dev.rowcast.bench;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * An SSE client that costs next to nothing: one blocking socket, one thread, and every {@code data}
 * line handed on with the time at which it was there.
 */
final class SseReader implements AutoCloseable {
  private static final byte[] DATA = "data: ".getBytes(StandardCharsets.US_ASCII);

  private final Socket socket;

  /** Is given each data line. */
  interface Listener {
    /**
     * Takes one data line.
     *
     * @param line a buffer that is used again
     * @param length how much of it is the line's data, from {@code from} on
     * @param nanos {@link System#nanoTime()} when it was read
     */
    void data(byte[] line, int from, int length, long nanos);
  }

  SseReader(URI url, String key, Listener listener) throws IOException {
    socket = new Socket(url.getHost(), url.getPort());
    socket.setTcpNoDelay(true);
    String request =
        "GET %s HTTP/1.1\r\nHost: %s\r\nAuthorization: Bearer %s\r\nAccept: text/event-stream\r\n\r\n"
            .formatted(
                url.getRawPath() + (url.getRawQuery() == null ? "" : "?" + url.getRawQuery()),
                url.getAuthority(),
                key);
    socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
    InputStream in = new BufferedInputStream(socket.getInputStream(), 1 << 16);
    String status = readLine(in);
    if (!status.contains(" 200 ")) {
      socket.close();
      throw new IOException("stream: '" + status + "' (expected: 200)");
    }
    Thread thread = new Thread(() -> read(in, listener), "sse-reader");
    thread.setDaemon(true);
    thread.start();
  }

  private static String readLine(InputStream in) throws IOException {
    StringBuilder line = new StringBuilder();
    for (int b = in.read(); b >= 0 && b != '\n'; b = in.read()) {
      line.append((char) b);
    }
    return line.toString();
  }

  // Chunk sizes stand on lines of their own between frames: whatever isn't a data line is passed
  // over.
  private static void read(InputStream in, Listener listener) {
    byte[] line = new byte[1 << 16];
    int length = 0;
    try {
      for (int b = in.read(); b >= 0; b = in.read()) {
        if (b != '\n') {
          if (length == line.length) {
            line = Arrays.copyOf(line, length * 2);
          }
          line[length++] = (byte) b;
          continue;
        }
        if (length > DATA.length && Arrays.equals(line, 0, DATA.length, DATA, 0, DATA.length)) {
          listener.data(line, DATA.length, length - DATA.length, System.nanoTime());
        }
        length = 0;
      }
    } catch (IOException e) {
      // closed by the measurement
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() throws IOException {
    socket.close(); // ends the thread
  }
}
