package dev.rowcast.fanout;

import dev.rowcast.event.Op;
import java.util.Set;

/**
 * Which changes of rows that it sees an audience is told, and as what. There are so few that all
 * audiences share them. Immutable.
 */
final class Wanted {
  private static final int INSERTS = 1;
  private static final int UPDATES = 2;
  private static final int DELETES = 4;
  private static final int LEAVES = 8;
  private static final Wanted[] ALL = new Wanted[16];

  static {
    for (int bits = 0; bits < ALL.length; bits++) {
      ALL[bits] = new Wanted(bits);
    }
  }

  private final int bits;

  private Wanted(int bits) {
    this.bits = bits;
  }

  static Wanted of(Set<Op> ops, boolean leaves) {
    int bits = leaves ? LEAVES : 0;
    for (Op op : ops) {
      bits |= bit(op);
    }
    return ALL[bits];
  }

  private static int bit(Op op) {
    return switch (op) {
      case INSERT -> INSERTS;
      case UPDATE -> UPDATES;
      case DELETE -> DELETES;
    };
  }

  /** What is got of a change after which the row is seen, or by which it went. */
  Verdict seen(Op op) {
    return (bits & bit(op)) != 0 ? Verdict.WHOLE : Verdict.HIDDEN;
  }

  /** What is got of a change before which the row was seen, and after which it isn't. */
  Verdict seenBefore(Op op) {
    return tellsLeaving(op) && (bits & DELETES) != 0 ? Verdict.LEFT : Verdict.HIDDEN;
  }

  /** Whether it matters that the row was seen before such a change. */
  boolean tellsLeaving(Op op) {
    return op == Op.UPDATE && (bits & LEAVES) != 0;
  }
}
