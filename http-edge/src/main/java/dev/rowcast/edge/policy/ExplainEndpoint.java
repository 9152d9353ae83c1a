package dev.rowcast.edge.policy;

import dev.rowcast.cursor.Cursor;
import dev.rowcast.edge.auth.Access;
import dev.rowcast.edge.auth.Authenticator;
import dev.rowcast.edge.auth.Caller;
import dev.rowcast.edge.request.Parameters;
import dev.rowcast.event.EventRecord;
import dev.rowcast.fanout.EventFeed;
import dev.rowcast.keys.ApiKey;
import dev.rowcast.keys.ApiKeys;
import dev.rowcast.policy.Claims;
import dev.rowcast.policy.ColumnRules;
import dev.rowcast.policy.Identity;
import dev.rowcast.policy.Policy;
import dev.rowcast.policy.TableAccess;
import dev.rowcast.problem.Problem;
import dev.rowcast.problem.ProblemException;
import dev.rowcast.problem.ProblemType;
import io.javalin.http.Context;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Supplier;

/**
 * {@code GET /api/ddl/policy/explain}: why somebody sees an event, or doesn't, by the rights and
 * the rows of other tables as they are now. For those who manage, and of what they see themselves:
 * an event that is hidden from them is answered like one that there isn't. Thread-safe.
 */
public final class ExplainEndpoint {
  /** What the query may have. */
  public static final Set<String> PARAMETERS = Set.of("event", "key", "as");

  private static final int MAX_BYTES = 1;
  private static final Duration READ_LIMIT = Duration.ofSeconds(10);

  private final Authenticator authenticator;
  private final Supplier<Access> access;
  private final EventFeed feed;
  private final ApiKeys keys;
  private final Executor workers;

  /**
   * @param workers where the event is read, which may ask the broker
   */
  public ExplainEndpoint(
      Authenticator authenticator,
      Supplier<Access> access,
      EventFeed feed,
      ApiKeys keys,
      Executor workers) {
    this.authenticator = authenticator;
    this.access = access;
    this.feed = feed;
    this.keys = keys;
    this.workers = workers;
  }

  public void explain(Context ctx) {
    Caller manager = authenticator.byBearer(ctx.header("Authorization"));
    Access now = access.get();
    now.managers().require(manager.identity());
    Parameters parameters = Parameters.parse(ctx.queryString());
    Cursor.At id = id(parameters);
    Identity reader = reader(parameters, now);
    ctx.future(
        () ->
            CompletableFuture.supplyAsync(
                    () -> answer(id, reader, manager.identity(), now.policy()), workers)
                .thenAccept(body -> ctx.header("Cache-Control", "no-store").json(body)));
  }

  private static Cursor.At id(Parameters parameters) {
    String text = parameters.single("event");
    if (text == null || !(Parameters.cursorOf("event", text) instanceof Cursor.At id)) {
      throw Problem.parameter("event", text == null ? "" : text, "the id of an event")
          .asException();
    }
    return id;
  }

  private Identity reader(Parameters parameters, Access now) {
    String key = parameters.single("key");
    String as = parameters.single("as");
    if (key != null && as == null) {
      return ofKey(key);
    }
    if (as != null && key == null) {
      return as(as, now);
    }
    throw new Problem(
            ProblemType.INVALID_PARAMETER,
            "key, as: " + (key == null ? "neither" : "both") + " (expected: one of them)",
            Map.of("parameter", "key"))
        .asException();
  }

  private Identity ofKey(String id) {
    return keys.find(id)
        .map(ApiKey::identity)
        .orElseThrow(
            () ->
                // not repeated: somebody may have put a secret there
                new ProblemException(
                    ProblemType.NOT_FOUND,
                    "key: no key has these " + id.length() + " characters (expected: a key's id)"));
  }

  private static Identity as(String text, Access now) {
    try {
      Identity identity = Claims.identity(text);
      if (now.managers().knows(identity.role())) {
        return identity;
      }
      throw Problem.parameter(
              "as", identity.role(), String.join(", ", new TreeSet<>(now.managers().roles())))
          .asException();
    } catch (IllegalArgumentException e) {
      throw Problem.parameter("as", text, "a role, or role:{…} with claims as JSON").asException();
    }
  }

  private Map<String, Object> answer(
      Cursor.At id, Identity reader, Identity manager, Policy policy) {
    EventRecord event = event(id);
    ColumnRules asker = columns(policy, manager, event).orElseThrow(() -> unknown(id));
    boolean hidden =
        !policy.explain(manager, event.table(), event.rowKey(), event.data()).visible();
    if (hidden) {
      throw unknown(id);
    }
    return new ExplanationJson(event, asker)
        .of(
            policy.explain(reader, event.table(), event.rowKey(), event.data()),
            reader,
            columns(policy, reader, event).orElse(ColumnRules.ALL));
  }

  private static Optional<ColumnRules> columns(Policy policy, Identity who, EventRecord event) {
    return policy.view(who).access(event.table()).map(TableAccess::columns);
  }

  private EventRecord event(Cursor.At id) {
    if (id.id() < 1 || id.id() > feed.range().latest()) {
      throw unknown(id);
    }
    long position = feed.resolve(id);
    long start = System.nanoTime();
    EventFeed.Scanned read = feed.scan(position - 1, 1, MAX_BYTES);
    while (read.position() < position) {
      if (System.nanoTime() - start > READ_LIMIT.toNanos()) {
        throw new ProblemException(
            ProblemType.UNAVAILABLE, "the event couldn't be read in time (expected: soon)");
      }
      read = feed.scan(position - 1, 1, MAX_BYTES);
    }
    return read.events().stream()
        .filter(event -> event.id() == position)
        .findFirst()
        .orElseThrow(() -> unknown(id));
  }

  private static ProblemException unknown(Cursor.At id) {
    return new Problem(
            ProblemType.NOT_FOUND,
            "event: '" + id.id() + "' (expected: the id of an event that is retained)",
            Map.of("parameter", "event"))
        .asException();
  }
}
