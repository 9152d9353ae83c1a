package dev.rowcast.fanout;

import dev.rowcast.event.Op;
import java.util.EnumSet;
import java.util.Set;

/**
 * Which changes of rows that it sees an audience is told, and as what. There are so few that all
 * audiences share them. Immutable.
 */
final class Wanted {
  private static final Wanted[] WITHOUT_LEAVES = all(false);
  private static final Wanted[] WITH_LEAVES = all(true);

  private final Set<Op> ops;
  private final boolean leaves;

  private Wanted(Set<Op> ops, boolean leaves) {
    this.ops = ops;
    this.leaves = leaves;
  }

  private static Wanted[] all(boolean leaves) {
    Wanted[] all = new Wanted[1 << Op.values().length];
    for (int bits = 0; bits < all.length; bits++) {
      EnumSet<Op> ops = EnumSet.noneOf(Op.class);
      for (Op op : Op.values()) {
        if ((bits >> op.ordinal() & 1) == 1) {
          ops.add(op);
        }
      }
      all[bits] = new Wanted(ops, leaves);
    }
    return all;
  }

  static Wanted of(Set<Op> ops, boolean leaves) {
    int bits = 0;
    for (Op op : ops) {
      bits |= 1 << op.ordinal();
    }
    return (leaves ? WITH_LEAVES : WITHOUT_LEAVES)[bits];
  }

  /** What is got of a change after which the row is seen, or by which it went. */
  Verdict seen(Op op) {
    return ops.contains(op) ? Verdict.WHOLE : Verdict.HIDDEN;
  }

  /** What is got of a change before which the row was seen, and after which it isn't. */
  Verdict seenBefore(Op op) {
    return tellsLeaving(op) && ops.contains(Op.DELETE) ? Verdict.LEFT : Verdict.HIDDEN;
  }

  /** Whether it matters that the row was seen before such a change. */
  boolean tellsLeaving(Op op) {
    return leaves && op == Op.UPDATE;
  }
}
