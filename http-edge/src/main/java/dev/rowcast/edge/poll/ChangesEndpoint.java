package dev.rowcast.edge.poll;

import dev.rowcast.cursor.Cursor;
import dev.rowcast.edge.auth.Authenticator;
import dev.rowcast.edge.auth.Caller;
import dev.rowcast.edge.auth.Credential;
import dev.rowcast.edge.request.Parameters;
import dev.rowcast.edge.request.TableNames;
import dev.rowcast.event.JsonBytes;
import dev.rowcast.fanout.Audience;
import dev.rowcast.fanout.EventFeed;
import dev.rowcast.fanout.Page;
import dev.rowcast.policy.Policy;
import dev.rowcast.policy.View;
import dev.rowcast.problem.ProblemException;
import dev.rowcast.problem.ProblemType;
import io.javalin.http.Context;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Supplier;

/**
 * {@code GET /api/ddl/events/changes}: the events after a cursor, one page at a time. Nothing is
 * kept between two requests. Thread-safe.
 */
public final class ChangesEndpoint {
  /** What the query may have. */
  public static final Set<String> PARAMETERS =
      Set.of("cursor", "tables", "ops", "limit", "wait", "numbers", "leaves", "feed");

  private static final int MAX_LIMIT = 1000;
  private static final int DEFAULT_LIMIT = 100;
  private static final int MAX_WAIT_MILLIS = 30_000;

  private final Authenticator authenticator;
  private final TableNames names;
  private final Supplier<Policy> policy;
  private final EventFeed feed;
  private final int maxPageBytes;
  private final Executor workers;

  private final Set<Waiter> waiting = ConcurrentHashMap.newKeySet();

  private volatile boolean closing;

  /**
   * @param maxPageBytes where a page is cut
   * @param workers where cursors are resolved, which may ask the broker
   */
  public ChangesEndpoint(
      Authenticator authenticator,
      TableNames names,
      Supplier<Policy> policy,
      EventFeed feed,
      int maxPageBytes,
      Executor workers) {
    this.authenticator = authenticator;
    this.names = names;
    this.policy = policy;
    this.feed = feed;
    this.maxPageBytes = maxPageBytes;
    this.workers = workers;
  }

  /** What a request asks for. */
  private record Question(
      Caller caller, Audience audience, Cursor cursor, int limit, Duration patience) {}

  public void changes(Context ctx) {
    Caller caller = authenticator.byBearer(ctx.header("Authorization"));
    Question question = question(Parameters.parse(ctx.queryString()), caller);
    ctx.future(() -> page(question).thenAccept(page -> answer(ctx, page)));
  }

  /** Answers those who wait with what there is, which is nothing, so that they ask elsewhere. */
  public void close() {
    closing = true;
    waiting.forEach(Waiter::sendAway);
  }

  private Question question(Parameters parameters, Caller caller) {
    Cursor cursor = parameters.cursor("cursor");
    int limit = parameters.integer("limit", 1, MAX_LIMIT, DEFAULT_LIMIT);
    int wait = parameters.integer("wait", 0, MAX_WAIT_MILLIS, 0);
    parameters.requireKnownFeed();
    View view = policy.get().view(caller.identity());
    Audience audience =
        new Audience(
            view,
            names.resolveAll("tables", parameters.list("tables"), view),
            parameters.ops(),
            parameters.numbers(),
            parameters.bool("leaves"));
    return new Question(
        caller,
        audience,
        cursor == null ? new Cursor.Earliest() : cursor,
        limit,
        Duration.ofMillis(wait));
  }

  private CompletableFuture<Page> page(Question question) {
    CompletableFuture<Long> resolved;
    try {
      resolved = CompletableFuture.supplyAsync(() -> feed.resolve(question.cursor()), workers);
    } catch (RejectedExecutionException e) {
      return CompletableFuture.failedFuture(
          new ProblemException(ProblemType.UNAVAILABLE, "Too many polls at once; try again"));
    }
    return resolved.thenCompose(after -> page(question, after));
  }

  private CompletableFuture<Page> page(Question question, long after) {
    Duration wait = closing ? Duration.ZERO : question.patience();
    CompletableFuture<Page> page =
        feed.page(question.audience(), after, question.limit(), maxPageBytes, wait);
    if (wait.isZero() || page.isDone()) {
      return page;
    }
    Waiter waiter = new Waiter(page.copy(), new Page(List.of(), after, false));
    waiting.add(waiter);
    if (closing) {
      waiter.sendAway();
    }
    return waiter
        .answer
        .whenComplete((found, failure) -> waiting.remove(waiter))
        .thenApply(found -> judgedAgain(question, found, waiter.nothing));
  }

  /**
   * What was found, if whoever asked for it long ago may still see it.
   *
   * @param nothing the answer where the policy is another one meanwhile: they ask again, by its
   *     rules, from where they were
   */
  private Page judgedAgain(Question question, Page found, Page nothing) {
    Credential now =
        authenticator
            .current(question.caller().credential())
            .orElseThrow(
                () ->
                    new ProblemException(
                        ProblemType.UNAUTHENTICATED,
                        "The credential was revoked, or expired, while the poll waited"));
    View view = policy.get().view(now.identity());
    return view.equals(question.audience().view()) ? found : nothing;
  }

  /** One who waits, known by being itself. */
  private static final class Waiter {
    private final CompletableFuture<Page> answer;
    private final Page nothing;

    Waiter(CompletableFuture<Page> answer, Page nothing) {
      this.answer = answer;
      this.nothing = nothing;
    }

    void sendAway() {
      answer.complete(nothing);
    }
  }

  private void answer(Context ctx, Page page) {
    ctx.header("Cache-Control", "no-store").contentType("application/json").result(json(page));
  }

  private byte[] json(Page page) {
    int size = 64;
    for (byte[] event : page.events()) {
      size += event.length + 1;
    }
    JsonBytes out = new JsonBytes(size).ascii("{\"events\":[");
    String separator = "";
    for (byte[] event : page.events()) {
      out.ascii(separator).raw(event);
      separator = ",";
    }
    return out.ascii("],\"cursor\":\"")
        .ascii(new Cursor.At(page.position(), feed.epoch()).toString())
        .ascii("\",\"hasMore\":")
        .ascii(Boolean.toString(page.hasMore()))
        .raw('}')
        .toByteArray();
  }
}
