package dev.rowcast.edge.stream;

import dev.rowcast.edge.auth.Authenticator;
import dev.rowcast.edge.auth.Caller;
import dev.rowcast.edge.auth.Narrowing;
import dev.rowcast.edge.auth.StreamTokens;
import dev.rowcast.edge.request.JsonBody;
import dev.rowcast.edge.request.Parameters;
import dev.rowcast.edge.request.TableNames;
import dev.rowcast.event.Op;
import dev.rowcast.event.TableId;
import dev.rowcast.policy.Policy;
import dev.rowcast.policy.View;
import io.javalin.http.Context;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

/** {@code POST /events/stream/token}: a key or a JWT becomes a token that may stand in a URL. */
public final class TokenEndpoint {
  private final Authenticator authenticator;
  private final StreamTokens tokens;
  private final TableNames names;
  private final Supplier<Policy> policy;

  public TokenEndpoint(
      Authenticator authenticator, StreamTokens tokens, TableNames names, Supplier<Policy> policy) {
    this.authenticator = authenticator;
    this.tokens = tokens;
    this.names = names;
    this.policy = policy;
  }

  public void issue(Context ctx) {
    Caller caller = authenticator.byBearer(ctx.header("Authorization"));
    JsonBody body = JsonBody.read(ctx, "tables", "ops");
    View view = policy.get().view(caller.identity());
    List<String> tables = body.optionalTexts("tables");
    List<String> ops = body.optionalTexts("ops");
    StreamTokens.Issued issued =
        tokens.issue(
            caller.credential(),
            new Narrowing(
                tables == null ? null : tables(tables, view), ops == null ? all() : ops(ops)));
    Map<String, Object> answer = new LinkedHashMap<>();
    answer.put("token", issued.token());
    answer.put("expiresUtc", issued.expires().toString());
    ctx.header("Cache-Control", "no-store").json(answer);
  }

  private Set<TableId> tables(List<String> named, View view) {
    Set<TableId> tables = names.resolveAll("tables", named, view);
    if (tables == null) {
      throw JsonBody.invalid("tables: empty (expected: at least one table, or no such member)");
    }
    return tables;
  }

  private static Set<Op> ops(List<String> named) {
    if (named.isEmpty()) {
      throw JsonBody.invalid("ops: empty (expected: at least one op, or no such member)");
    }
    return Parameters.opsOf(named);
  }

  private static Set<Op> all() {
    return Narrowing.NONE.ops();
  }
}
