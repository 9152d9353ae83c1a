package dev.rowcast.frame;

import dev.rowcast.event.EventRecord;
import dev.rowcast.event.JsonBytes;
import dev.rowcast.event.Op;
import org.jspecify.annotations.Nullable;

/**
 * Frames of one outbox: SSE events whose ids are cursors of its epoch. Thread-safe; a {@link Batch}
 * belongs to one thread.
 */
public final class Frames {
  private final String suffix;

  /**
   * @param epoch what stands after the dot in cursors
   */
  public Frames(String epoch) {
    this.suffix = "." + epoch;
  }

  /** The cursor of a position: what an {@code id:} line holds. */
  public String cursor(long position) {
    return position + suffix;
  }

  /** A named event whose data is an event object. */
  public Frame event(EventRenderer renderer, EventRecord event, boolean left) {
    JsonBytes out = new JsonBytes(size(event));
    int json = start(event, left ? Op.DELETE : event.op(), out);
    object(renderer, event, left, out);
    return new Frame(event.id(), SseEncoder.end(out), json);
  }

  /** An unnamed event whose data is {@code {"event":…,"table":…,"row":{…}}}. */
  public Frame row(EventRenderer renderer, EventRecord event, boolean left) {
    JsonBytes out = new JsonBytes(size(event));
    int json = start(event, null, out);
    renderer.row(event, left, out);
    return new Frame(event.id(), SseEncoder.end(out), json);
  }

  /** Answers where the JSON starts. */
  private int start(EventRecord event, @Nullable Op op, JsonBytes out) {
    SseEncoder.start(out, cursor(event.id()), op == null ? null : op.wire());
    return SseEncoder.startJson(out).size();
  }

  private static void object(
      EventRenderer renderer, EventRecord event, boolean left, JsonBytes out) {
    if (left) {
      renderer.left(event, out);
    } else {
      renderer.event(event, out);
    }
  }

  private static int size(EventRecord event) {
    return event.event().end() - event.event().start() + 128;
  }

  /** An event object by itself, as pages hold it. */
  public static byte[] json(EventRenderer renderer, EventRecord event, boolean left) {
    JsonBytes out = new JsonBytes(size(event));
    object(renderer, event, left, out);
    return out.toByteArray();
  }

  /** A batch to be filled. */
  public Batch batch() {
    return new Batch();
  }

  /** {@code event: batch} with any number of event objects. */
  public final class Batch {
    private final JsonBytes events = new JsonBytes(1024);
    private int count;
    private long from = -1;

    private Batch() {}

    public int count() {
      return count;
    }

    /** How many bytes of events there are. */
    public int size() {
      return events.size();
    }

    /** Adds an event, or nothing of it where it can't be rendered. */
    public void add(EventRenderer renderer, EventRecord event, boolean left) {
      int mark = events.size();
      boolean whole = false;
      try {
        object(renderer, event, left, separated());
        whole = true;
      } finally {
        if (!whole) {
          events.truncate(mark);
        }
      }
      counted(event.id());
    }

    /** Adds the event object of a frame that {@link Frames#event} made. */
    public void add(Frame frame) {
      separated().raw(frame.bytes(), frame.jsonStart(), frame.jsonLength());
      counted(frame.id());
    }

    private JsonBytes separated() {
      return count > 0 ? events.raw(',') : events;
    }

    private void counted(long id) {
      if (count++ == 0) {
        from = id;
      }
    }

    /**
     * The frame.
     *
     * @param to the position that was scanned
     */
    public byte[] end(long to) {
      JsonBytes out = new JsonBytes(events.size() + 160);
      SseEncoder.start(out, cursor(to), "batch");
      SseEncoder.startJson(out).ascii("{\"from\":").number(count == 0 ? to : from);
      out.ascii(",\"to\":").number(to).ascii(",\"count\":").number(count);
      return SseEncoder.end(out.ascii(",\"events\":[").raw(events).ascii("]}"));
    }
  }
}
