package dev.rowcast.edge.stream;

import dev.rowcast.cursor.Cursor;
import dev.rowcast.edge.auth.Caller;
import dev.rowcast.fanout.Audience;
import dev.rowcast.fanout.FrameShape;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What a client wants streamed.
 *
 * @param caller who
 * @param audience what they get
 * @param shape in which form
 * @param since after which event; null for from now on
 * @param coalesce how far apart live events are told at least; zero for at once
 */
record StreamRequest(
    Caller caller, Audience audience, FrameShape shape, @Nullable Cursor since, Duration coalesce) {

  boolean live() {
    return since == null || since instanceof Cursor.Latest;
  }
}
