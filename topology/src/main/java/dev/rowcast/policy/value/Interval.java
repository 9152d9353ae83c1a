package dev.rowcast.policy.value;

/**
 * A span of time as PostgreSQL keeps it. Equal, and hashed, as PostgreSQL compares: a month is 30
 * days and a day 24 hours.
 *
 * @param months of any sign, as the others
 * @param micros microseconds
 */
public record Interval(int months, int days, long micros) implements Comparable<Interval> {
  static final long DAY = 86_400_000_000L;

  /** What is left of infinity once a moment is taken away. */
  public static final Interval INFINITY =
      new Interval(Integer.MAX_VALUE, Integer.MAX_VALUE, Long.MAX_VALUE);

  public static final Interval MINUS_INFINITY =
      new Interval(Integer.MIN_VALUE, Integer.MIN_VALUE, Long.MIN_VALUE);

  /** A span between two moments: whole days, and what is left with the same sign. */
  static Interval between(long micros) {
    return new Interval(0, Math.toIntExact(micros / DAY), micros % DAY);
  }

  boolean isFinite() {
    return !same(INFINITY) && !same(MINUS_INFINITY);
  }

  private boolean same(Interval other) {
    return months == other.months && days == other.days && micros == other.micros;
  }

  /** The span the other way. */
  public Interval negated() {
    if (!isFinite()) {
      return same(INFINITY) ? MINUS_INFINITY : INFINITY;
    }
    try {
      return new Interval(
          Math.negateExact(months), Math.negateExact(days), Math.negateExact(micros));
    } catch (ArithmeticException e) {
      throw new ValueException("interval out of range");
    }
  }

  /** Both together, each field for itself. */
  public Interval plus(Interval other) {
    if (!isFinite() || !other.isFinite()) {
      if (!isFinite() && !other.isFinite() && !same(other)) {
        throw new ValueException("interval out of range");
      }
      return isFinite() ? other : this;
    }
    try {
      return new Interval(
          Math.addExact(months, other.months),
          Math.addExact(days, other.days),
          Math.addExact(micros, other.micros));
    } catch (ArithmeticException e) {
      throw new ValueException("interval out of range");
    }
  }

  private long wholeDays() {
    return months * 30L + days + Math.floorDiv(micros, DAY);
  }

  private long rest() {
    return Math.floorMod(micros, DAY);
  }

  @Override
  public int compareTo(Interval other) {
    int byDays = Long.compare(wholeDays(), other.wholeDays());
    return byDays != 0 ? byDays : Long.compare(rest(), other.rest());
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Interval o && compareTo(o) == 0;
  }

  @Override
  public int hashCode() {
    return Long.hashCode(wholeDays() * 31 + rest());
  }
}
