package dev.rowcast.edge.request;

import java.util.List;
import java.util.Set;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;

/**
 * Lets pages of listed origins read the answers, streams included (Fetch standard, CORS).
 * Preflights come without credentials and are answered here. Others get no header, which has
 * browsers refuse.
 */
public final class CrossOrigin extends Handler.Wrapper {
  private static final String ANY = "*";
  private static final String METHODS = "GET, HEAD, POST, DELETE, OPTIONS";
  private static final String HEADERS = "Authorization, Content-Type, Last-Event-ID, Cache-Control";
  private static final String EXPOSED = "Location, Retry-After, WWW-Authenticate";
  private static final String MAX_AGE_SECONDS = "600";

  private final Set<String> allowed;

  /**
   * @param allowed origins as browsers send them, {@code https://app.example}; {@code *} for any,
   *     then without credentials
   */
  public CrossOrigin(List<String> allowed) {
    this.allowed = Set.copyOf(allowed);
  }

  @Override
  public boolean handle(Request request, Response response, Callback callback) throws Exception {
    if (allowed.isEmpty()) {
      return super.handle(request, response, callback);
    }
    String origin = request.getHeaders().get(HttpHeader.ORIGIN);
    HttpFields.Mutable headers = response.getHeaders();
    headers.add(HttpHeader.VARY, "Origin");
    boolean admitted = origin != null && admit(origin, headers);
    if (admitted && isPreflight(request)) {
      headers.put("Access-Control-Allow-Methods", METHODS);
      headers.put("Access-Control-Allow-Headers", HEADERS);
      headers.put("Access-Control-Max-Age", MAX_AGE_SECONDS);
      response.setStatus(204);
      callback.succeeded();
      return true;
    }
    return super.handle(request, response, callback);
  }

  private boolean admit(@Nullable String origin, HttpFields.Mutable headers) {
    if (origin != null && allowed.contains(origin)) {
      headers.put("Access-Control-Allow-Origin", origin);
      headers.put("Access-Control-Allow-Credentials", "true");
    } else if (allowed.contains(ANY)) {
      headers.put("Access-Control-Allow-Origin", ANY);
    } else {
      return false;
    }
    headers.put("Access-Control-Expose-Headers", EXPOSED);
    return true;
  }

  private static boolean isPreflight(Request request) {
    return request.getMethod().equals("OPTIONS")
        && request.getHeaders().contains("Access-Control-Request-Method");
  }
}
