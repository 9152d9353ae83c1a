package dev.rowcast.edge.stream;

import dev.rowcast.cursor.Cursor;
import dev.rowcast.edge.auth.Authenticator;
import dev.rowcast.edge.auth.Caller;
import dev.rowcast.edge.auth.Narrowing;
import dev.rowcast.edge.request.Parameters;
import dev.rowcast.edge.request.TableNames;
import dev.rowcast.event.Op;
import dev.rowcast.event.TableId;
import dev.rowcast.fanout.Audience;
import dev.rowcast.fanout.FrameShape;
import dev.rowcast.policy.Policy;
import dev.rowcast.policy.View;
import dev.rowcast.problem.ProblemException;
import dev.rowcast.problem.ProblemType;
import java.time.Duration;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Request;
import org.jspecify.annotations.Nullable;

/** Reads what a client wants streamed, and refuses what it may not have. Thread-safe. */
final class StreamRequests {
  private static final int MAX_COALESCE_MILLIS = 60_000;

  /** What the query of a stream of one table may have. */
  private static final Set<String> OF_ONE_TABLE =
      Set.of("ops", "since", "coalesce", "numbers", "leaves", "feed", "token");

  /** What the query of a stream of several may have. */
  private static final Set<String> OF_TABLES =
      Set.of("tables", "ops", "since", "coalesce", "numbers", "leaves", "feed", "token");

  private static final String LAST_EVENT_ID = "Last-Event-ID";

  private final Authenticator authenticator;
  private final TableNames names;
  private final Supplier<Policy> policy;

  StreamRequests(Authenticator authenticator, TableNames names, Supplier<Policy> policy) {
    this.authenticator = authenticator;
    this.names = names;
    this.policy = policy;
  }

  /**
   * @param table the one table of {@code /data/subscribe/…}; null for {@code /events/stream}
   * @throws ProblemException for whatever is answered before a stream: 400, 401, 403, 404, 406
   */
  StreamRequest read(Request request, @Nullable String table) {
    Parameters parameters = Parameters.parse(request.getHttpURI().getQuery());
    Caller caller =
        authenticator.byBearerOrToken(
            request.getHeaders().get(HttpHeader.AUTHORIZATION), parameters.single("token"));
    parameters.requireKnown(table == null ? OF_TABLES : OF_ONE_TABLE);
    requireAcceptable(request.getHeaders());
    parameters.requireKnownFeed();
    View view = policy.get().view(caller.identity());
    Set<TableId> tables =
        table == null
            ? tables(parameters.list("tables"), view, caller.narrowing())
            : Set.of(table(table, view, caller.narrowing()));
    Audience audience =
        new Audience(
            view,
            tables,
            ops(parameters, caller.narrowing()),
            parameters.numbers(),
            parameters.bool("leaves"));
    int coalesce = parameters.integer("coalesce", 0, MAX_COALESCE_MILLIS, 0);
    return new StreamRequest(
        caller,
        audience,
        table == null ? FrameShape.EVENT : FrameShape.ROW,
        since(request.getHeaders(), parameters),
        Duration.ofMillis(coalesce));
  }

  private @Nullable Set<TableId> tables(List<String> asked, View view, Narrowing narrowing) {
    if (asked.isEmpty()) {
      return narrowing.tables();
    }
    Set<TableId> tables = new HashSet<>();
    for (String name : asked) {
      tables.add(resolve("tables", name, view, narrowing));
    }
    return tables;
  }

  private TableId table(String name, View view, Narrowing narrowing) {
    return resolve("table", name, view, narrowing);
  }

  private TableId resolve(String parameter, String name, View view, Narrowing narrowing) {
    return names.resolve(parameter, name, t -> narrowing.admits(t) && view.access(t).isPresent());
  }

  private static Set<Op> ops(Parameters parameters, Narrowing narrowing) {
    if (parameters.list("ops").isEmpty()) {
      return narrowing.ops();
    }
    Set<Op> ops = EnumSet.copyOf(parameters.ops());
    if (!narrowing.ops().containsAll(ops)) {
      throw new ProblemException(ProblemType.FORBIDDEN, "ops: more than the token is narrowed to");
    }
    return ops;
  }

  /** A client that reconnects still sends the {@code since} of its URL: the header is newer. */
  private static @Nullable Cursor since(HttpFields headers, Parameters parameters) {
    Cursor since = parameters.cursor("since");
    String last = headers.get(LAST_EVENT_ID);
    return last == null ? since : Parameters.cursorOf(LAST_EVENT_ID, last);
  }

  /** RFC 9110, 12.5.1: the most specific range that matches decides. */
  private static void requireAcceptable(HttpFields headers) {
    int specificity = -1;
    boolean acceptable = true;
    for (HttpField field : headers.getFields(HttpHeader.ACCEPT)) {
      for (String range : field.getValue().split(",", -1)) {
        String[] parts = range.strip().toLowerCase(java.util.Locale.ROOT).split("\\s*;\\s*", -1);
        int specific = List.of("*/*", "text/*", "text/event-stream").indexOf(parts[0]);
        if (specificity < 0 && specific < 0 && !parts[0].isEmpty()) {
          acceptable = false;
        }
        if (specific > specificity) {
          specificity = specific;
          acceptable = quality(parts) > 0;
        }
      }
    }
    if (!acceptable) {
      throw new ProblemException(
          ProblemType.NOT_ACCEPTABLE, "Accept: it excludes what there is (text/event-stream)");
    }
  }

  private static double quality(String[] parts) {
    for (int i = 1; i < parts.length; i++) {
      if (parts[i].matches("q=[01](\\.[0-9]{0,3})?")) {
        return Double.parseDouble(parts[i].substring(2));
      }
    }
    return 1;
  }
}
