package dev.rowcast.edge;

import dev.rowcast.edge.auth.Authenticator;
import dev.rowcast.edge.auth.Caller;
import dev.rowcast.edge.capture.CaptureEndpoint;
import dev.rowcast.edge.health.HealthEndpoint;
import dev.rowcast.edge.keys.KeysEndpoint;
import dev.rowcast.edge.policy.DryRunEndpoint;
import dev.rowcast.edge.policy.ExplainEndpoint;
import dev.rowcast.edge.poll.ChangesEndpoint;
import dev.rowcast.edge.request.Parameters;
import dev.rowcast.edge.stream.TokenEndpoint;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import io.javalin.http.Handler;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.eclipse.jetty.http.HttpStatus;

/**
 * Every path that Javalin serves, to be read from top to bottom. What stands in a query and isn't
 * named here is refused; a caller without credential learns first that they lack one.
 */
record Routes(
    Authenticator authenticator,
    TokenEndpoint token,
    ChangesEndpoint changes,
    CaptureEndpoint capture,
    KeysEndpoint keys,
    ExplainEndpoint explain,
    DryRunEndpoint dryRun,
    HealthEndpoint health) {

  void install(RoutesConfig config) {
    Map<String, Map<String, Handler>> routes = new LinkedHashMap<>();
    add(routes, "POST", "/events/stream/token", token::issue);
    add(routes, "POST", "/api/ddl/events/stream/token", token::issue);

    add(routes, "GET", "/api/ddl/events/changes", changes::changes, ChangesEndpoint.PARAMETERS);

    add(routes, "GET", "/api/ddl/events/tables", capture::list);
    add(routes, "POST", "/api/ddl/events/tables", capture::enableNamedInBody);
    add(routes, "GET", "/api/ddl/events/tables/{table}", capture::get);
    add(routes, "POST", "/api/ddl/events/tables/{table}", capture::enableNamedInPath);
    add(routes, "DELETE", "/api/ddl/events/tables/{table}", capture::disable);

    add(routes, "GET", "/api/ddl/keys", keys::list);
    add(routes, "POST", "/api/ddl/keys", keys::create);
    add(routes, "GET", "/api/ddl/keys/{id}", keys::get);
    add(routes, "DELETE", "/api/ddl/keys/{id}", keys::revoke);

    add(routes, "GET", "/api/ddl/policy/explain", explain::explain, ExplainEndpoint.PARAMETERS);
    add(routes, "POST", "/api/ddl/policy/dry-run", dryRun::run, DryRunEndpoint.PARAMETERS);

    addOpen(routes, "/health/live", health::live);
    addOpen(routes, "/health/ready", health::ready);
    addOpen(routes, "/metrics", health::metrics);
    addOpen(routes, "/openapi.yaml", health::openapi);
    routes.forEach((path, handlers) -> install(config, path, handlers));
    config.after(Routes::describeNoContent);
  }

  private void add(
      Map<String, Map<String, Handler>> routes, String method, String path, Handler handler) {
    add(routes, method, path, handler, Set.of());
  }

  private void add(
      Map<String, Map<String, Handler>> routes,
      String method,
      String path,
      Handler handler,
      Set<String> parameters) {
    Handler strict =
        ctx -> {
          Parameters query = Parameters.parse(ctx.queryString());
          if (query.hasUnknown(parameters)) {
            Caller unused = authenticator.byBearer(ctx.header("Authorization"));
          }
          query.requireKnown(parameters);
          handler.handle(ctx);
        };
    routes.computeIfAbsent(path, p -> new TreeMap<>()).put(method, strict);
  }

  /** For anybody, without parameters. */
  private static void addOpen(
      Map<String, Map<String, Handler>> routes, String path, Handler handler) {
    Handler strict =
        ctx -> {
          Parameters.parse(ctx.queryString()).requireKnown(Set.of());
          handler.handle(ctx);
        };
    routes.computeIfAbsent(path, p -> new TreeMap<>()).put("GET", strict);
  }

  /** What has no content has no type of it (RFC 9110, 8.3); Javalin gives every answer one. */
  private static void describeNoContent(Context ctx) {
    if (ctx.statusCode() == HttpStatus.NO_CONTENT_204) {
      ctx.res().setContentType(null);
    }
  }

  private static void install(RoutesConfig config, String path, Map<String, Handler> handlers) {
    Handler get = handlers.get("GET");
    if (get != null) {
      handlers.put("HEAD", get); // Jetty keeps the body back
    }
    String allow = String.join(", ", handlers.keySet()) + ", OPTIONS";
    handlers.put("OPTIONS", ctx -> ctx.status(204).header("Allow", allow));
    handlers.forEach(
        (method, handler) -> {
          switch (method) {
            case "GET" -> config.get(path, handler);
            case "HEAD" -> config.head(path, handler);
            case "POST" -> config.post(path, handler);
            case "DELETE" -> config.delete(path, handler);
            default -> config.options(path, handler);
          }
        });
  }
}
