package dev.rowcast.policy.eval;

import dev.rowcast.event.JsonObject;
import dev.rowcast.policy.sql.Expr;
import dev.rowcast.policy.sql.Lookups;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A predicate ready to judge rows. Compiled once for all callers; claims are its arguments.
 * Immutable, thread-safe.
 */
public final class CompiledPredicate {
  private final Condition condition;
  private final Slots slots;
  private final Candidates candidates;
  private final @Nullable InstantSource clock;

  private CompiledPredicate(
      Condition condition, Slots slots, Candidates candidates, @Nullable InstantSource clock) {
    this.condition = condition;
    this.slots = slots;
    this.candidates = candidates;
    this.clock = clock;
  }

  /**
   * Makes closures of a predicate.
   *
   * @param predicate all of its columns' types are known
   * @param lookup where {@code EXISTS} and {@code IN (SELECT …)} are answered
   * @param clock what {@code now()} asks, at each row that is judged
   * @throws dev.rowcast.policy.value.ValueException where a part that depends on nothing can't be
   *     computed, as in {@code 1 / 0}
   */
  public static CompiledPredicate compile(Expr predicate, RowLookup lookup, InstantSource clock) {
    Compiler compiler = new Compiler(lookup);
    Condition condition = compiler.condition(predicate, 0);
    checkClaims(predicate, compiler.slots());
    Candidates candidates = Candidates.of(predicate, compiler, lookup);
    boolean timed = Lookups.any(predicate, n -> n instanceof Expr.Now);
    return new CompiledPredicate(condition, compiler.slots(), candidates, timed ? clock : null);
  }

  /** A claim that isn't there closes the rule, also where a row wouldn't have asked for it. */
  private static void checkClaims(Expr expr, Slots slots) {
    if (expr instanceof Expr.Claim claim) {
      int unused = slots.add(claims -> ClaimValues.claim(claims, claim.path(), claim.type()));
    }
    expr.operands().forEach(operand -> checkClaims(operand, slots));
  }

  /**
   * The predicate for one caller.
   *
   * @throws dev.rowcast.policy.value.ValueException for a claim that is missing or of another type
   */
  public Bound bind(ClaimSource claims) {
    @Nullable Object[] arguments = slots.fill(claims);
    return new Bound(this, arguments);
  }

  /** A predicate with its arguments. Immutable, thread-safe. */
  public static final class Bound {
    private final CompiledPredicate predicate;
    private final @Nullable Object[] arguments;

    Bound(CompiledPredicate predicate, @Nullable Object[] arguments) {
      this.predicate = predicate;
      this.arguments = arguments;
    }

    /**
     * Whether the predicate is true of a row: neither false nor unknown.
     *
     * @throws dev.rowcast.policy.value.ValueException where PostgreSQL would raise
     */
    public boolean test(JsonObject row) {
      return judge(row) == Condition.TRUE;
    }

    /**
     * What the predicate comes to for a row; empty for unknown.
     *
     * @throws dev.rowcast.policy.value.ValueException where PostgreSQL would raise
     */
    public Optional<Boolean> truth(JsonObject row) {
      int truth = judge(row);
      return truth == Condition.UNKNOWN ? Optional.empty() : Optional.of(truth == Condition.TRUE);
    }

    private int judge(JsonObject row) {
      InstantSource clock = predicate.clock;
      Rows rows = new Rows(row, null, arguments, clock == null ? 0 : micros(clock.instant()));
      return predicate.condition.of(rows);
    }

    private static long micros(Instant now) {
      return TimeUnit.SECONDS.toMicros(now.getEpochSecond()) + now.getNano() / 1_000;
    }

    /**
     * By which values rows that may be seen are found: each has one of them. Null where rows have
     * to be tested one by one, empty where none is seen.
     */
    public @Nullable List<IndexEntry> entries() {
      return predicate.candidates.entries(arguments);
    }

    /** Whether every row that has one of the {@link #entries()} is seen. */
    public boolean foundIsSeen() {
      return predicate.candidates.decisive();
    }
  }
}
