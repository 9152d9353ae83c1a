package dev.rowcast.edge.stream;

import dev.rowcast.fanout.EventFeed;
import dev.rowcast.fanout.FrameShape;
import dev.rowcast.fanout.Subscription;
import dev.rowcast.fanout.Subscription.Frames;
import dev.rowcast.fanout.Subscription.Gap;
import dev.rowcast.fanout.Subscription.Next;
import dev.rowcast.fanout.Subscription.Packing;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;

/**
 * One open stream: takes frames from its subscription whenever the socket has room, and nothing
 * otherwise. There is no queue: what a client hasn't read yet is a position.
 *
 * <p>Any thread may {@link #wake} it, {@link #end} it or complete its writes; {@link #drain} lets
 * one of them work at a time and has that one do the work of the others. The fields below the line
 * belong to whoever drains.
 */
final class EventStream implements Callback {
  /** How many writes one stream may do in a row before the others have their turn. */
  private static final int TURN = 32;

  /** A batch is one frame for all of an interval, and only a very busy one is to be cut. */
  private static final int BATCH_WRITES = 4;

  /** What is sent at last, and what the end is called in metrics. */
  private record Ending(ByteBuffer bytes, String reason) {}

  private final StreamHome home;
  private final Response response;
  private final Callback exchange;
  private final EndPoint endPoint;
  private final long endPointIdleTimeout;
  private final Standing standing;
  private final EventFeed feed;
  private final String credentialId;
  private final Packing packing;
  private final long coalesceNanos;
  private final long heartbeatNanos;
  private final long stallNanos;
  private final int maxWriteBytes;
  private final int maxFrameBytes;

  private final AtomicInteger work = new AtomicInteger();
  private final AtomicBoolean scheduled = new AtomicBoolean();
  private final AtomicBoolean closed = new AtomicBoolean();
  private final AtomicReference<@Nullable Ending> ending = new AtomicReference<>();
  private volatile boolean writing;
  private volatile long progressed = System.nanoTime();
  private volatile boolean heartbeatDue;
  private volatile @Nullable Throwable failure;
  private volatile @Nullable Subscription subscription;
  private volatile @Nullable Future<?> tick;
  private volatile @Nullable Future<?> pause;

  // ---- whoever drains
  private boolean started;
  private int writesInTurn;
  private @Nullable ByteBuffer out;
  private boolean last;
  private long toldPosition;
  private long coalesceTarget = -1;
  private boolean toldSome;
  private long nextLive = System.nanoTime();

  EventStream(
      StreamHome home,
      StreamRequest asked,
      Standing standing,
      Request request,
      Response response,
      Callback exchange) {
    this.home = home;
    this.response = response;
    this.exchange = exchange;
    this.standing = standing;
    this.feed = home.feed();
    this.credentialId = asked.caller().credential().id();
    this.endPoint = request.getConnectionMetaData().getConnection().getEndPoint();
    this.endPointIdleTimeout = endPoint.getIdleTimeout();
    this.coalesceNanos = asked.coalesce().toNanos();
    // rows are told one by one always; coalescing only spaces them
    this.packing =
        coalesceNanos > 0 && asked.shape() == FrameShape.EVENT ? Packing.BATCH : Packing.SINGLE;
    this.heartbeatNanos = home.limits().heartbeat().toNanos();
    this.stallNanos = home.limits().stall().toNanos();
    this.maxWriteBytes = home.limits().maxWriteBytes();
    this.maxFrameBytes = maxWriteBytes * (packing == Packing.BATCH ? BATCH_WRITES : 1);
  }

  String credentialId() {
    return credentialId;
  }

  /**
   * Sends the start block and then what the subscription has. The response's headers must be set.
   */
  void start(Subscription from) {
    // we know better than the connector who is dead
    endPoint.setIdleTimeout(0);
    subscription = from;
    home.opened(this);
    scheduleTick();
    drain();
  }

  /** There may be something to write. Doesn't block; for any thread. */
  void wake() {
    if (!scheduled.getAndSet(true)) {
      home.writers().execute(this::turn);
    }
  }

  /**
   * Ends the stream if its credential no longer carries it, without waiting for the next tick. On
   * the thread of {@link StreamHome#pulse} only.
   */
  void recheck() {
    if (!closed.get()) {
      boolean unused = endIfLost();
    }
  }

  /** Ends the stream once what is being written is written. For any thread. */
  void end(ByteBuffer bytes, String reason) {
    ending.compareAndSet(null, new Ending(bytes, reason));
    wake();
  }

  /** Ends the stream at once, whatever is being written. For any thread. */
  void drop(String reason) {
    if (release(reason)) {
      IOException cause = new IOException("stream dropped: " + reason);
      endPoint.close(cause);
      exchange.failed(cause);
    }
  }

  @Override
  public void succeeded() {
    progressed = System.nanoTime();
    writing = false;
    drain();
  }

  @Override
  public void failed(Throwable x) {
    failure = x;
    writing = false;
    drain();
  }

  @Override
  public InvocationType getInvocationType() {
    return InvocationType.NON_BLOCKING;
  }

  private void turn() {
    scheduled.set(false);
    drain();
  }

  private void drain() {
    if (work.getAndIncrement() != 0) {
      return;
    }
    int done = 1;
    do {
      try {
        step();
      } catch (RuntimeException e) {
        home.broken(e);
        drop("error");
      }
      done = work.addAndGet(-done);
    } while (done != 0);
  }

  /** Starts one write at most: its completion drains again. */
  private void step() {
    Subscription from = subscription;
    if (closed.get() || writing || from == null) {
      return;
    }
    if (failure != null) {
      drop("client-gone");
    } else if (!started) {
      started = true;
      toldPosition = from.position();
      write(ControlFrames.start(toldPosition, feed.epoch()));
    } else if (out != null && out.hasRemaining()) {
      write(out);
    } else if (last) {
      finish();
    } else {
      out = null;
      next(from);
    }
  }

  private void next(Subscription from) {
    Ending end = ending.get();
    if (end != null) {
      writeLast(end.bytes());
    } else if (writesInTurn >= TURN) {
      writesInTurn = 0;
      wake();
    } else if (coalesceNanos > 0 && System.nanoTime() - nextLive < 0) {
      writeHeartbeatIfDue(from);
    } else {
      take(from);
    }
  }

  private void take(Subscription from) {
    if (coalesceNanos > 0 && coalesceTarget < 0) {
      coalesceTarget = feed.position();
    }
    Next next = from.next(packing, maxFrameBytes);
    if (next instanceof Frames frames) {
      writesInTurn++;
      toldPosition = frames.position();
      if (coalesceNanos > 0) {
        // not the frames' position: what follows them may be hidden, and then all is told
        boolean toldAll = from.position() >= coalesceTarget;
        toldSome = !toldAll;
        spaceOut(toldAll);
      }
      write(frames.bytes().duplicate());
    } else if (next instanceof Gap gap) {
      end(ControlFrames.gap(gap.reason(), gap.oldest(), gap.latest(), feed.epoch()), "gap");
    } else {
      writesInTurn = 0;
      coalesceTarget = -1;
      spaceOut(toldSome);
      toldSome = false;
      writeHeartbeatIfDue(from);
    }
  }

  /**
   * Lets time pass until the next batch once all is told that there was when this one began: a
   * backlog that is larger than a write, or history, isn't to take a pause per write.
   */
  private void spaceOut(boolean toldAll) {
    if (coalesceNanos > 0 && toldAll) {
      coalesceTarget = -1;
      nextLive = System.nanoTime() + coalesceNanos;
      pause = home.pulse().schedule(this::wake, coalesceNanos, TimeUnit.NANOSECONDS);
    }
  }

  private void writeHeartbeatIfDue(Subscription from) {
    if (!heartbeatDue) {
      return;
    }
    long position = from.position();
    if (position > toldPosition) {
      toldPosition = position;
      write(ControlFrames.heartbeat(position, feed.epoch()));
    } else {
      write(ControlFrames.heartbeat());
    }
  }

  private void writeLast(ByteBuffer bytes) {
    last = true;
    write(bytes);
  }

  /** Writes the next piece: small ones, so that a slow client is seen to make progress. */
  private void write(ByteBuffer bytes) {
    out = bytes;
    ByteBuffer piece = bytes.slice();
    piece.limit(Math.min(piece.limit(), maxWriteBytes));
    bytes.position(bytes.position() + piece.remaining());
    heartbeatDue = false;
    progressed = System.nanoTime();
    writing = true;
    home.metrics().written(piece.remaining());
    response.write(last && !bytes.hasRemaining(), piece, this);
  }

  private void finish() {
    Ending end = ending.get();
    if (release(end == null ? "error" : end.reason())) {
      endPoint.setIdleTimeout(endPointIdleTimeout);
      exchange.succeeded();
      if (home.closing()) {
        endPoint.close(); // an idle connection would keep the server from stopping
      }
    }
  }

  private boolean release(String reason) {
    if (closed.getAndSet(true)) {
      return false;
    }
    home.closed(this, reason);
    Subscription from = subscription;
    if (from != null) {
      from.close();
    }
    cancel(tick);
    cancel(pause);
    return true;
  }

  private static void cancel(@Nullable Future<?> timer) {
    if (timer != null) {
      timer.cancel(false);
    }
  }

  private void scheduleTick() {
    // twice per heartbeat at least, so that a revoked key is noticed within one
    long half = Math.max(1, heartbeatNanos / 2);
    long untilHeartbeat = heartbeatNanos - (System.nanoTime() - progressed);
    long delay = untilHeartbeat > 0 ? Math.min(untilHeartbeat, half) : half;
    tick = home.pulse().schedule(this::tick, delay, TimeUnit.NANOSECONDS);
  }

  private void tick() {
    if (closed.get()) {
      return;
    }
    if (!endIfLost()) {
      return;
    }
    long quiet = System.nanoTime() - progressed;
    if (writing && quiet >= stallNanos) {
      drop("stalled");
      return;
    }
    if (!writing && quiet >= heartbeatNanos) {
      heartbeatDue = true;
      wake();
    }
    scheduleTick();
  }

  /** Whether the clockwork goes on; a credential that can't be judged doesn't carry a stream. */
  private boolean endIfLost() {
    try {
      String lost = standing.lost();
      if (lost != null) {
        end(ControlFrames.end(lost), lost);
      }
      return true;
    } catch (RuntimeException e) {
      home.broken(e);
      drop("error");
      return false;
    }
  }
}
