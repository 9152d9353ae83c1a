package dev.rowcast.edge;

import dev.rowcast.edge.capture.CaptureEndpoint;
import dev.rowcast.edge.health.HealthEndpoint;
import dev.rowcast.edge.keys.KeysEndpoint;
import dev.rowcast.edge.policy.DryRunEndpoint;
import dev.rowcast.edge.policy.ExplainEndpoint;
import dev.rowcast.edge.poll.ChangesEndpoint;
import dev.rowcast.edge.stream.TokenEndpoint;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Handler;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;

/** Every path that Javalin serves, to be read from top to bottom. */
record Routes(
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

    add(routes, "GET", "/api/ddl/events/changes", changes::changes);

    add(routes, "GET", "/api/ddl/events/tables", capture::list);
    add(routes, "POST", "/api/ddl/events/tables", capture::enableNamedInBody);
    add(routes, "GET", "/api/ddl/events/tables/{table}", capture::get);
    add(routes, "POST", "/api/ddl/events/tables/{table}", capture::enableNamedInPath);
    add(routes, "DELETE", "/api/ddl/events/tables/{table}", capture::disable);

    add(routes, "GET", "/api/ddl/keys", keys::list);
    add(routes, "POST", "/api/ddl/keys", keys::create);
    add(routes, "GET", "/api/ddl/keys/{id}", keys::get);
    add(routes, "DELETE", "/api/ddl/keys/{id}", keys::revoke);

    add(routes, "GET", "/api/ddl/policy/explain", explain::explain);
    add(routes, "POST", "/api/ddl/policy/dry-run", dryRun::run);

    add(routes, "GET", "/health/live", health::live);
    add(routes, "GET", "/health/ready", health::ready);
    add(routes, "GET", "/metrics", health::metrics);
    add(routes, "GET", "/openapi.yaml", health::openapi);
    routes.forEach((path, handlers) -> install(config, path, handlers));
  }

  private static void add(
      Map<String, Map<String, Handler>> routes, String method, String path, Handler handler) {
    routes.computeIfAbsent(path, p -> new TreeMap<>()).put(method, handler);
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
