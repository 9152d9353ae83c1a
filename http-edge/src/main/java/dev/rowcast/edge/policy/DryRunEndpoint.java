package dev.rowcast.edge.policy;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.util.RawValue;
import dev.rowcast.cursor.Cursor;
import dev.rowcast.edge.auth.Authenticator;
import dev.rowcast.edge.auth.Caller;
import dev.rowcast.edge.auth.Managers;
import dev.rowcast.edge.request.JsonBody;
import dev.rowcast.edge.request.Parameters;
import dev.rowcast.event.EventRecord;
import dev.rowcast.event.JsonBytes;
import dev.rowcast.event.JsonObject;
import dev.rowcast.event.TableId;
import dev.rowcast.fanout.EventFeed;
import dev.rowcast.frame.EventRenderer;
import dev.rowcast.keys.ApiKey;
import dev.rowcast.keys.ApiKeys;
import dev.rowcast.policy.TableAccess;
import dev.rowcast.policy.View;
import dev.rowcast.policy.dryrun.Comparison;
import dev.rowcast.policy.dryrun.LatestRows;
import dev.rowcast.policy.dryrun.TableDifference;
import dev.rowcast.problem.ProblemException;
import dev.rowcast.problem.ProblemType;
import io.javalin.http.Context;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.Semaphore;
import java.util.function.Supplier;

/**
 * {@code POST /api/ddl/policy/dry-run}: what each key would gain and lose by other rules, judged on
 * the rows that the last events left. Nothing takes effect, nothing is counted. Only what the
 * manager sees is judged. One at a time on a node; bounded in events, bytes and time. Thread-safe.
 */
public final class DryRunEndpoint {
  /** What the query may have. */
  public static final Set<String> PARAMETERS = Set.of("last", "examples");

  private static final int MAX_EVENTS = 100_000;
  private static final int DEFAULT_EVENTS = 1_000;
  private static final int MAX_EXAMPLES = 100;
  private static final int DEFAULT_EXAMPLES = 5;
  private static final int MAX_KEYS_TOLD = 1_000;
  private static final int MAX_BODY_BYTES = 1 << 20;
  private static final long MAX_ROW_BYTES = 64L << 20;
  private static final long LIMIT_NANOS = Duration.ofSeconds(20).toNanos();
  private static final int READ_EVENTS = 1_000;
  private static final int READ_BYTES = 1 << 20;
  // markers of transactions take positions, too: how much further back is looked for events
  private static final List<Integer> BACK = List.of(2, 8, 32);

  private final Authenticator authenticator;
  private final Supplier<Managers> managers;
  private final EventFeed feed;
  private final ApiKeys keys;
  private final Proposals proposals;
  private final Executor workers;
  private final Clock clock;
  private final Semaphore running = new Semaphore(1);

  /**
   * @param workers where it is judged
   */
  public DryRunEndpoint(
      Authenticator authenticator,
      Supplier<Managers> managers,
      EventFeed feed,
      ApiKeys keys,
      Proposals proposals,
      Executor workers,
      Clock clock) {
    this.authenticator = authenticator;
    this.managers = managers;
    this.feed = feed;
    this.keys = keys;
    this.proposals = proposals;
    this.workers = workers;
    this.clock = clock;
  }

  public void run(Context ctx) {
    Caller manager = authenticator.byBearer(ctx.header("Authorization"));
    managers.get().require(manager.identity());
    Parameters parameters = Parameters.parse(ctx.queryString());
    int last = parameters.integer("last", 1, MAX_EVENTS, DEFAULT_EVENTS);
    int examples = parameters.integer("examples", 0, MAX_EXAMPLES, DEFAULT_EXAMPLES);
    Proposals.Trial trial = proposals.of(body(ctx), manager.identity());
    View asker = trial.now().view(manager.identity());
    if (!running.tryAcquire()) {
      throw new ProblemException(
          ProblemType.TOO_MANY_REQUESTS, "Another dry run is under way; try again");
    }
    CompletableFuture<Map<String, Object>> answer;
    try {
      answer =
          CompletableFuture.supplyAsync(() -> new Run(trial, asker, last, examples).go(), workers)
              .whenComplete((done, failure) -> running.release());
    } catch (RuntimeException e) {
      running.release();
      throw e;
    }
    ctx.future(() -> answer.thenAccept(body -> ctx.header("Cache-Control", "no-store").json(body)));
  }

  private static String body(Context ctx) {
    try {
      byte[] bytes = ctx.req().getInputStream().readNBytes(MAX_BODY_BYTES + 1);
      if (bytes.length > MAX_BODY_BYTES) {
        throw new ProblemException(
            ProblemType.BODY_TOO_LARGE,
            "body: too large (expected: <= " + MAX_BODY_BYTES + " bytes)");
      }
      return new String(bytes, UTF_8);
    } catch (IOException e) {
      throw JsonBody.invalid("body: it ended early");
    }
  }

  /** One dry run. Belongs to one thread. */
  private final class Run {
    private final Proposals.Trial trial;
    private final View asker;
    private final int last;
    private final int examples;
    private final long deadline = System.nanoTime() + LIMIT_NANOS;
    private boolean complete = true;
    private int events;
    private long from;

    Run(Proposals.Trial trial, View asker, int last, int examples) {
      this.trial = trial;
      this.asker = asker;
      this.last = last;
      this.examples = examples;
    }

    private boolean timeIsUp() {
      boolean up = System.nanoTime() - deadline > 0;
      complete &= !up;
      return up;
    }

    Map<String, Object> go() {
      LatestRows rows = rows();
      Comparison comparison =
          new Comparison(trial.now(), trial.proposed(), rows.byTable(), examples, this::timeIsUp);
      List<Map<String, Object>> different = new ArrayList<>();
      int judged = 0;
      int leftOut = 0;
      for (ApiKey key : keys.list()) {
        if (key.expiredAt(clock.instant())) {
          continue;
        }
        Optional<List<TableDifference>> tables = comparison.of(key.identity());
        if (tables.isEmpty()) {
          break;
        }
        judged++;
        if (!tables.get().isEmpty()) {
          if (different.size() < MAX_KEYS_TOLD) {
            different.add(key(key, tables.get()));
          } else {
            leftOut++;
          }
        }
      }
      Map<String, Object> answer = new LinkedHashMap<>();
      answer.put("events", events);
      answer.put("from", from);
      answer.put("to", feed.position());
      answer.put("rows", rows.size());
      answer.put("rowsLeftOut", rows.leftOut());
      answer.put("complete", complete);
      answer.put("keysJudged", judged);
      answer.put("keysLeftOut", leftOut);
      answer.put("keys", different);
      return answer;
    }

    /** The rows that the last events left, as far as the manager sees them. */
    private LatestRows rows() {
      Deque<EventRecord> found = lastEvents();
      events = found.size();
      from = found.isEmpty() ? feed.position() : found.peekFirst().id();
      LatestRows rows = new LatestRows(MAX_ROW_BYTES);
      Map<TableId, Optional<TableAccess>> seen = new LinkedHashMap<>();
      while (!found.isEmpty()) {
        EventRecord event = found.removeFirst();
        Optional<TableAccess> shown = seen.computeIfAbsent(event.table(), asker::access);
        JsonObject data = event.data();
        if (shown.isPresent() && (data == null || shown.get().rows().test(data))) {
          rows.add(event);
        } else {
          rows.remove(event); // what it was before isn't what it is
        }
      }
      return rows;
    }

    private Deque<EventRecord> lastEvents() {
      long head = feed.position();
      long oldest = feed.resolve(new Cursor.Earliest());
      Deque<EventRecord> found = new ArrayDeque<>();
      for (int back : BACK) {
        long start = Math.max(oldest, head - (long) last * back);
        found = read(start, head);
        if (found.size() == last || start == oldest) {
          break;
        }
      }
      return found;
    }

    private Deque<EventRecord> read(long start, long head) {
      Deque<EventRecord> found = new ArrayDeque<>();
      long bytes = 0;
      long position = start;
      while (position < head && !timeIsUp()) {
        EventFeed.Scanned scanned = feed.scan(position, READ_EVENTS, READ_BYTES);
        position = Math.max(position, scanned.position());
        for (EventRecord event : scanned.events()) {
          found.addLast(event);
          bytes += event.event().bytes().length;
          while (found.size() > last || (bytes > MAX_ROW_BYTES && found.size() > 1)) {
            bytes -= found.removeFirst().event().bytes().length;
          }
        }
      }
      return found;
    }

    private Map<String, Object> key(ApiKey key, List<TableDifference> tables) {
      Map<String, Object> object = new LinkedHashMap<>();
      object.put("id", key.id());
      object.put("name", key.name());
      object.put("role", key.identity().role());
      object.put("tables", tables.stream().map(this::table).toList());
      return object;
    }

    private Map<String, Object> table(TableDifference difference) {
      Map<String, Object> object = new LinkedHashMap<>();
      object.put("table", difference.table().toString());
      object.put("sees", difference.sees());
      object.put("wouldSee", difference.wouldSee());
      object.put("gained", difference.gained());
      object.put("lost", difference.lost());
      object.put("gainedRows", rowKeys(difference, difference.gainedRows()));
      object.put("lostRows", rowKeys(difference, difference.lostRows()));
      object.put("columnsGained", difference.columnsGained());
      object.put("columnsLost", difference.columnsLost());
      object.put("columnsMaskedOtherwise", difference.columnsMaskedOtherwise());
      return object;
    }

    private List<RawValue> rowKeys(TableDifference difference, List<JsonObject> rowKeys) {
      EventRenderer renderer =
          new EventRenderer(
              asker.access(difference.table()).orElseThrow().columns(), List.of(), false);
      return rowKeys.stream()
          .map(
              rowKey -> {
                JsonBytes out = new JsonBytes(64);
                renderer.rowKey(rowKey, out);
                return new RawValue(new String(out.toByteArray(), UTF_8));
              })
          .toList();
    }
  }
}
