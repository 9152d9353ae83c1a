package dev.rowcast.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/** Many SSE clients on one thread, which count the frames that hold a change. */
final class SseCounter implements AutoCloseable {
  private static final byte[] CHANGE = "\ndata: {\"id\":".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] OK = "HTTP/1.1 200".getBytes(StandardCharsets.US_ASCII);

  private final Selector selector = Selector.open();
  private final AtomicLong open = new AtomicLong();
  private final AtomicLong changes = new AtomicLong();
  private final AtomicLong failures = new AtomicLong();
  private final Thread thread = new Thread(this::read, "sse-counter");

  /** How far one client has come in what it looks for. */
  private static final class Client {
    int status; // bytes of the status line that were right
    int matched; // bytes of the next change's beginning
  }

  /** Opens one stream for each key; they are counted once {@link #awaitOpen} has returned. */
  SseCounter(URI url, List<String> keys) throws IOException {
    for (String key : keys) {
      SocketChannel channel =
          SocketChannel.open(new InetSocketAddress(url.getHost(), url.getPort()));
      channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
      String request =
          "GET %s?%s HTTP/1.1\r\nHost: %s\r\nAuthorization: Bearer %s\r\n\r\n"
              .formatted(url.getRawPath(), url.getRawQuery(), url.getAuthority(), key);
      channel.write(ByteBuffer.wrap(request.getBytes(StandardCharsets.US_ASCII)));
      channel.configureBlocking(false);
      channel.register(selector, SelectionKey.OP_READ, new Client());
    }
    thread.setDaemon(true);
    thread.start();
  }

  private void read() {
    byte[] bytes = new byte[1 << 18];
    try {
      while (selector.isOpen()) {
        selector.select(key -> take(key, bytes));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void take(SelectionKey key, byte[] bytes) {
    try {
      int count = ((SocketChannel) key.channel()).read(ByteBuffer.wrap(bytes));
      if (count < 0) {
        throw new IOException("the stream ended");
      }
      count((Client) key.attachment(), bytes, count);
    } catch (IOException e) {
      key.cancel();
      failures.incrementAndGet();
    }
  }

  private void count(Client client, byte[] bytes, int count) throws IOException {
    int found = 0;
    for (int i = 0; i < count; i++) {
      byte b = bytes[i];
      if (client.status < OK.length) {
        if (b != OK[client.status++]) {
          throw new IOException("not 200");
        }
        if (client.status == OK.length) {
          open.incrementAndGet();
        }
      }
      client.matched = b == CHANGE[client.matched] ? client.matched + 1 : b == '\n' ? 1 : 0;
      if (client.matched == CHANGE.length) {
        client.matched = 0;
        found++;
      }
    }
    if (found > 0) {
      changes.addAndGet(found);
    }
  }

  /** Returns once all streams were answered with 200. */
  void awaitOpen(int streams) throws InterruptedException {
    await(open, streams);
  }

  /** Returns once so many changes have come, to all clients together. */
  void awaitChanges(long expected) throws InterruptedException {
    await(changes, expected);
  }

  private void await(AtomicLong counter, long expected) throws InterruptedException {
    long last = -1;
    long since = System.nanoTime();
    while (counter.get() < expected) {
      if (counter.get() != last) {
        last = counter.get();
        since = System.nanoTime();
      } else if (System.nanoTime() - since > Throughput.STALL_LIMIT.toNanos()) {
        throw new IllegalStateException(last + " (expected: " + expected + ")");
      }
      if (failures.get() > 0) {
        throw new IllegalStateException(failures.get() + " streams ended");
      }
      Thread.sleep(1);
    }
    if (counter.get() > expected) {
      throw new IllegalStateException(counter.get() + " (expected: " + expected + ")");
    }
  }

  @Override
  public void close() throws IOException {
    for (SelectionKey key : selector.keys()) {
      key.channel().close();
    }
    selector.close(); // ends the thread
  }
}
