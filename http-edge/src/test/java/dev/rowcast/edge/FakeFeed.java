package dev.rowcast.edge;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.rowcast.cursor.Cursor;
import dev.rowcast.event.EventRecord;
import dev.rowcast.event.Op;
import dev.rowcast.event.TableId;
import dev.rowcast.fanout.Audience;
import dev.rowcast.fanout.EventFeed;
import dev.rowcast.fanout.FrameShape;
import dev.rowcast.fanout.Page;
import dev.rowcast.fanout.Subscription;
import dev.rowcast.problem.Problem;
import dev.rowcast.problem.ProblemType;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntPredicate;

/** An outbox that is a list. Its n-th event has the id n. */
final class FakeFeed implements EventFeed {
  record Event(long id, TableId table, Op op, String row) {
    String json() {
      return "{\"id\":"
          + id
          + ",\"schema\":\""
          + table.schema()
          + "\",\"table\":\""
          + table.name()
          + "\",\"op\":\""
          + op.wire()
          + "\",\"data\":"
          + row
          + "}";
    }

    /** As it is read from the outbox, its whole row for a key. */
    EventRecord read() {
      String record =
          json().replaceFirst("\"id\":[0-9]+,", "").replaceFirst("\"data\"", "\"rowKey\"");
      String whole = op == Op.DELETE ? record : record.replaceFirst("}$", ",\"data\":" + row + "}");
      return EventRecord.parse(id - 1, whole.getBytes(UTF_8), null);
    }
  }

  final Set<Reader> readers = ConcurrentHashMap.newKeySet();
  volatile long oldest;
  volatile boolean reachable = true;
  private final List<Event> events = new ArrayList<>();
  private final Set<Runnable> waiting = ConcurrentHashMap.newKeySet();

  void add(TableId table, Op op, String row) {
    synchronized (events) {
      events.add(new Event(events.size() + 1, table, op, row));
    }
    readers.forEach(reader -> reader.wakeup.run());
    waiting.forEach(Runnable::run);
  }

  /** From now on there is nothing before this position. */
  void forgetBefore(long position) {
    oldest = position;
    readers.forEach(reader -> reader.wakeup.run());
  }

  private Event event(long id) {
    synchronized (events) {
      return events.get((int) id - 1);
    }
  }

  @Override
  public String epoch() {
    return "e1";
  }

  @Override
  public long position() {
    synchronized (events) {
      return events.size();
    }
  }

  @Override
  public Range range() {
    if (!reachable) {
      throw new Problem(ProblemType.UNAVAILABLE, "The broker doesn't answer").asException();
    }
    return new Range(oldest, position());
  }

  @Override
  public long resolve(Cursor cursor) {
    Range range = range();
    if (cursor instanceof Cursor.Earliest) {
      return range.oldest();
    }
    if (cursor instanceof Cursor.At at) {
      boolean foreign = at.epoch() != null && !at.epoch().equals(epoch());
      if (foreign || at.id() > range.latest()) {
        throw gone(ProblemType.CURSOR_UNKNOWN);
      }
      if (at.id() < range.oldest()) {
        throw gone(ProblemType.CURSOR_EXPIRED);
      }
      return at.id();
    }
    return range.latest();
  }

  private RuntimeException gone(ProblemType type) {
    return new Problem(
            type,
            "The cursor is gone",
            Map.of("oldestCursor", oldest + ".e1", "latestCursor", position() + ".e1"))
        .asException();
  }

  @Override
  public Subscription subscribeLive(Audience audience, FrameShape shape, Runnable wakeup) {
    return subscribe(audience, shape, position(), position(), wakeup);
  }

  @Override
  public Subscription subscribeAfter(
      Audience audience, FrameShape shape, long after, Runnable wakeup) {
    return subscribe(audience, shape, after, position(), wakeup);
  }

  private Subscription subscribe(
      Audience audience, FrameShape shape, long after, long seam, Runnable wakeup) {
    Reader reader = new Reader(audience, shape, after, seam, wakeup);
    readers.add(reader);
    wakeup.run();
    return reader;
  }

  @Override
  public CompletableFuture<Page> page(
      Audience audience, long after, int limit, int maxBytes, Duration wait) {
    CompletableFuture<Page> answer = new CompletableFuture<>();
    Runnable look =
        () -> {
          Page page = look(audience, after, limit, maxBytes);
          if (wait.isZero() || !page.events().isEmpty()) {
            answer.complete(page);
          }
        };
    waiting.add(look);
    look.run();
    return answer
        .completeOnTimeout(
            look(audience, after, limit, maxBytes), wait.toMillis(), TimeUnit.MILLISECONDS)
        .whenComplete((page, failure) -> waiting.remove(look));
  }

  private final AtomicLong askedAfter = new AtomicLong(-1);

  @Override
  public Scanned scan(long after, int maxEvents, int maxBytes) {
    if (after < oldest) {
      throw gone(ProblemType.CURSOR_EXPIRED);
    }
    if (askedAfter.getAndSet(after) != after) { // as a broker that takes its time
      return new Scanned(List.of(), after);
    }
    long to = Math.min(position(), after + maxEvents);
    List<EventRecord> scanned = new ArrayList<>();
    for (long id = after + 1; id <= to; id++) {
      scanned.add(event(id).read());
    }
    return new Scanned(scanned, to);
  }

  int waiting() {
    return waiting.size();
  }

  private Page look(Audience audience, long after, int limit, int maxBytes) {
    List<byte[]> found = new ArrayList<>();
    long at = after;
    long bytes = 0;
    long head = position();
    while (at < head && found.size() < limit && bytes < maxBytes) {
      Event event = event(++at);
      if (sees(audience, event)) {
        found.add(event.json().getBytes(UTF_8));
        bytes += event.json().length();
      }
    }
    return new Page(found, at, at < head);
  }

  private static boolean sees(Audience audience, Event event) {
    return audience.ops().contains(event.op()) && audience.access(event.table()).isPresent();
  }

  /** One subscription; counts on being closed. */
  final class Reader implements Subscription {
    private final Audience audience;
    private final FrameShape shape;
    private final long seam;
    private final Runnable wakeup;
    private long position;

    Reader(Audience audience, FrameShape shape, long after, long seam, Runnable wakeup) {
      this.audience = audience;
      this.shape = shape;
      this.position = after;
      this.seam = seam;
      this.wakeup = wakeup;
    }

    @Override
    public synchronized Next next(Packing packing, int maxBytes) {
      if (position < oldest) {
        return new Gap("retention overtook \"the\" reader", oldest, FakeFeed.this.position());
      }
      skipHidden();
      long head = FakeFeed.this.position();
      if (position >= head) {
        return Idle.INSTANCE;
      }
      boolean batch = shape == FrameShape.EVENT && (packing == Packing.BATCH || position < seam);
      long end = batch && position < seam ? Math.min(seam, head) : head;
      return batch ? batch(end, maxBytes) : singles(end, maxBytes);
    }

    private void skipHidden() {
      long head = FakeFeed.this.position();
      while (position < head && !sees(audience, event(position + 1))) {
        position++;
      }
    }

    private Frames singles(long end, int maxBytes) {
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      while (position < end && out.size() < maxBytes) {
        Event event = event(++position);
        if (sees(audience, event)) {
          out.writeBytes(frame(event).getBytes(UTF_8));
        }
      }
      return new Frames(ByteBuffer.wrap(out.toByteArray()).asReadOnlyBuffer(), position);
    }

    private String frame(Event event) {
      String id = "id: " + event.id() + ".e1\n";
      return shape == FrameShape.EVENT
          ? id + "event: " + event.op().wire() + "\ndata: " + event.json() + "\n\n"
          : id
              + "data: {\"event\":\""
              + event.op().wire()
              + "\",\"table\":\""
              + event.table().name()
              + "\",\"row\":"
              + event.row()
              + "}\n\n";
    }

    private Frames batch(long end, int maxBytes) {
      List<String> batch = new ArrayList<>();
      long from = -1;
      int size = 0;
      while (position < end && size < maxBytes) {
        Event event = event(++position);
        if (sees(audience, event)) {
          from = from < 0 ? event.id() : from;
          batch.add(event.json());
          size += event.json().length();
        }
      }
      String frame =
          "id: "
              + position
              + ".e1\nevent: batch\ndata: {\"from\":"
              + from
              + ",\"to\":"
              + position
              + ",\"count\":"
              + batch.size()
              + ",\"events\":["
              + String.join(",", batch)
              + "]}\n\n";
      return new Frames(ByteBuffer.wrap(frame.getBytes(UTF_8)).asReadOnlyBuffer(), position);
    }

    @Override
    public synchronized long position() {
      skipHidden();
      return position;
    }

    @Override
    public void close() {
      readers.remove(this);
    }
  }

  /** How many subscriptions are open, compared with something. */
  boolean readers(IntPredicate condition) {
    return condition.test(readers.size());
  }
}
