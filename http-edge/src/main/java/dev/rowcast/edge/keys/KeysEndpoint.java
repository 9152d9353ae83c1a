package dev.rowcast.edge.keys;

import dev.rowcast.edge.auth.Authenticator;
import dev.rowcast.edge.auth.Caller;
import dev.rowcast.edge.auth.Managers;
import dev.rowcast.edge.request.JsonBody;
import dev.rowcast.keys.ApiKey;
import dev.rowcast.keys.ApiKeys;
import dev.rowcast.policy.Identity;
import dev.rowcast.problem.Problem;
import dev.rowcast.problem.ProblemException;
import dev.rowcast.problem.ProblemType;
import io.javalin.http.Context;
import java.time.Clock;
import java.time.Instant;
import java.util.Map;
import java.util.function.Supplier;

/** {@code /api/ddl/keys}: made, listed, revoked by those who may manage. Thread-safe. */
public final class KeysEndpoint {
  private final Authenticator authenticator;
  private final Supplier<Managers> managers;
  private final ApiKeys keys;
  private final KeyJson json;
  private final Clock clock;

  public KeysEndpoint(
      Authenticator authenticator,
      Supplier<Managers> managers,
      ApiKeys keys,
      KeyJson json,
      Clock clock) {
    this.authenticator = authenticator;
    this.managers = managers;
    this.keys = keys;
    this.json = json;
    this.clock = clock;
  }

  public void list(Context ctx) {
    manager(ctx);
    answer(ctx, Map.of("keys", keys.list().stream().map(this::shown).toList()));
  }

  public void get(Context ctx) {
    manager(ctx);
    String id = ctx.pathParam("id");
    answer(ctx, shown(keys.find(id).orElseThrow(KeysEndpoint::unknown)));
  }

  /** Makes a key; its secret is in this answer and nowhere else. */
  public void create(Context ctx) {
    Caller manager = manager(ctx);
    JsonBody body = JsonBody.read(ctx, KeyJson.MEMBERS);
    String name = body.text("name");
    Identity identity = json.identity(body, name, managers.get().roles());
    managers.get().requireToGrant(manager.identity(), identity.role());
    Instant expires = body.optionalInstant("expiresUtc");
    if (expires != null && !expires.isAfter(clock.instant())) {
      throw JsonBody.invalid("expiresUtc: '" + expires + "' (expected: a time to come)");
    }
    ApiKeys.Issued issued = keys.create(name, identity, expires);
    Map<String, Object> created = shown(issued.key());
    created.put("secret", issued.secret());
    ctx.status(201).header("Location", "/api/ddl/keys/" + issued.key().id());
    answer(ctx, created);
  }

  public void revoke(Context ctx) {
    manager(ctx);
    String id = ctx.pathParam("id");
    if (!keys.revoke(id)) {
      throw unknown();
    }
    ctx.status(204);
  }

  private Map<String, Object> shown(ApiKey key) {
    return json.of(key, keys.lastUse(key.id()));
  }

  private Caller manager(Context ctx) {
    Caller caller = authenticator.byBearer(ctx.header("Authorization"));
    managers.get().require(caller.identity());
    return caller;
  }

  private static void answer(Context ctx, Object body) {
    ctx.header("Cache-Control", "no-store").json(body);
  }

  private static ProblemException unknown() {
    return new Problem(
            ProblemType.NOT_FOUND,
            "id: no key has it; it isn't repeated here, as it might be a secret"
                + " (expected: an id that GET /api/ddl/keys lists)")
        .asException();
  }
}
