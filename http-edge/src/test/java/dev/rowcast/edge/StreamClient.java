package dev.rowcast.edge;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.BooleanSupplier;

/** A client on a bare socket: it sees exactly the bytes, and can vanish in every way. */
final class StreamClient implements AutoCloseable {
  final Socket socket;
  final SseParser sse = new SseParser();
  int status;
  final Map<String, String> headers = new LinkedHashMap<>();
  boolean ended;
  private final InputStream in;
  private boolean chunked;

  StreamClient(int port, String path, String... headerLines) throws IOException {
    this(port, "GET", path, 0, headerLines);
  }

  StreamClient(int port, String method, String path, int receiveBuffer, String... headerLines)
      throws IOException {
    socket = new Socket();
    if (receiveBuffer > 0) {
      socket.setReceiveBufferSize(receiveBuffer);
    }
    socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 20_000);
    socket.setSoTimeout(20_000);
    StringBuilder request = new StringBuilder(method + " " + path + " HTTP/1.1\r\nHost: x\r\n");
    for (String line : headerLines) {
      request.append(line).append("\r\n");
    }
    socket.getOutputStream().write(request.append("\r\n").toString().getBytes(ISO_8859_1));
    in = socket.getInputStream();
  }

  StreamClient readHead() throws IOException {
    String statusLine = line();
    status = Integer.parseInt(statusLine.split(" ", -1)[1]);
    for (String header = line(); !header.isEmpty(); header = line()) {
      String[] parts = header.split(": ?", 2);
      headers.merge(parts[0].toLowerCase(Locale.ROOT), parts[1], (a, b) -> a + ", " + b);
    }
    chunked = "chunked".equals(headers.get("transfer-encoding"));
    return this;
  }

  /** Reads chunks into the parser until the condition holds or the stream ends. */
  StreamClient readUntil(BooleanSupplier condition) throws IOException {
    while (!condition.getAsBoolean() && !ended) {
      readChunk();
    }
    return this;
  }

  SseParser.Event event(int index) throws IOException {
    readUntil(() -> sse.events.size() > index);
    return sse.events.get(index);
  }

  void readToEnd() throws IOException {
    readUntil(() -> false);
  }

  private void readChunk() throws IOException {
    if (!chunked) {
      throw new IOException("not chunked: " + headers);
    }
    // Jetty sends the line break after a chunk together with what follows it
    String length = line();
    int size = Integer.parseInt(length.isEmpty() ? line() : length, 16);
    byte[] chunk = in.readNBytes(size);
    if (chunk.length < size) {
      throw new EOFException();
    }
    if (size == 0) {
      ended = true;
    } else {
      sse.feed(chunk, size);
    }
  }

  String body() throws IOException {
    if (chunked) {
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      for (int size = Integer.parseInt(line(), 16); size > 0; size = Integer.parseInt(line(), 16)) {
        out.write(in.readNBytes(size));
        line();
      }
      return out.toString(java.nio.charset.StandardCharsets.UTF_8);
    }
    int length = Integer.parseInt(headers.getOrDefault("content-length", "0"));
    return new String(in.readNBytes(length), java.nio.charset.StandardCharsets.UTF_8);
  }

  private String line() throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (int b = in.read(); b != '\n'; b = in.read()) {
      if (b < 0) {
        throw new EOFException();
      }
      if (b != '\r') {
        out.write(b);
      }
    }
    return out.toString(ISO_8859_1);
  }

  /** Vanishes with a RST instead of a FIN. */
  void reset() throws IOException {
    socket.setSoLinger(true, 0);
    socket.close();
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
