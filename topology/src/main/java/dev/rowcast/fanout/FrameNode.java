package dev.rowcast.fanout;

import dev.rowcast.frame.Frame;
import org.jspecify.annotations.Nullable;

/**
 * A frame in an audience's log, linked to the next one. Readers hold the node they read last; what
 * nobody points at any more is collected. The link is written once, under the feed's append lock,
 * and read without a lock.
 */
final class FrameNode {
  // what a node costs beside its frame's bytes
  private static final int OVERHEAD = 96;

  final Frame frame;

  /** How many bytes the log has had up to and with this node. */
  final long end;

  /** The same without bytes that another log was the first to have. */
  final long cost;

  volatile @Nullable FrameNode next;

  private FrameNode(Frame frame, long end, long cost) {
    this.frame = frame;
    this.end = end;
    this.cost = cost;
  }

  /** The start of an empty log. */
  static FrameNode first() {
    return new FrameNode(new Frame(-1, new byte[0], 0), 0, 0);
  }

  /**
   * Links a frame.
   *
   * @param shared whether another log has it, too
   */
  FrameNode append(Frame following, boolean shared) {
    int size = following.bytes().length;
    FrameNode node =
        new FrameNode(following, end + size + OVERHEAD, cost + (shared ? 0 : size) + OVERHEAD);
    next = node;
    return node;
  }

  /** The first node from here on, this one excluded, after a position; null for none yet. */
  @Nullable FrameNode after(long position) {
    FrameNode node = next;
    while (node != null && node.frame.id() <= position) {
      node = node.next;
    }
    return node;
  }
}
