package dev.rowcast.fanout;

import dev.rowcast.event.EventRecord;
import dev.rowcast.frame.EventRenderer;
import dev.rowcast.frame.Frame;
import dev.rowcast.frame.Frames;
import java.util.ArrayList;
import java.util.List;

/**
 * Makes the frames of one event after the other, each form of it once. Guarded by the feed's append
 * lock.
 */
final class Framing {
  private static final int MOST = 8; // forms of one event that are kept: looked through in turn

  private final Frames frames;
  private final List<Made> made = new ArrayList<>(MOST);
  private long id = -1;
  private boolean again;

  Framing(Frames frames) {
    this.frames = frames;
  }

  private record Made(EventRenderer renderer, FrameShape shape, boolean left, Frame frame) {}

  @SuppressWarnings("ReferenceEquality") // equal renderers are one: see Renderers
  Frame frame(EventRecord event, EventRenderer renderer, FrameShape shape, boolean left) {
    if (event.id() != id) {
      made.clear();
      id = event.id();
    }
    for (Made known : made) {
      if (known.renderer() == renderer && known.shape() == shape && known.left() == left) {
        again = true;
        return known.frame();
      }
    }
    again = false;
    Frame frame =
        switch (shape) {
          case EVENT -> frames.event(renderer, event, left);
          case ROW -> frames.row(renderer, event, left);
        };
    if (made.size() < MOST) {
      made.add(new Made(renderer, shape, left, frame));
    }
    return frame;
  }

  /** Whether the last frame was made before. */
  boolean again() {
    return again;
  }
}
