package dev.rowcast.edge.problem;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.rowcast.problem.Problem;
import dev.rowcast.problem.ProblemException;
import dev.rowcast.problem.ProblemType;
import io.javalin.config.JavalinConfig;
import io.javalin.http.Context;
import io.javalin.http.HttpResponseException;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import org.eclipse.jetty.http.HttpException;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.handler.ErrorHandler;
import org.eclipse.jetty.util.Callback;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one place where an error becomes an answer, whether a handler of ours, Javalin or Jetty
 * noticed it. What a client did wrong is told; what we did wrong is logged, and told without
 * detail. Stateless; thread-safe.
 */
public final class Problems {
  private static final Logger LOG = LoggerFactory.getLogger(Problems.class);

  private Problems() {}

  /** Has Javalin answer its errors and those of its handlers with problems. */
  public static void install(JavalinConfig config) {
    config.routes.exception(Exception.class, (e, ctx) -> send(ctx, of(e)));
    config.routes.exception(
        HttpResponseException.class, (e, ctx) -> send(ctx, of(e, ctx.method().name())));
  }

  /** Has Jetty answer what never reaches a handler with problems. */
  public static ErrorHandler jetty() {
    return new JettyErrors();
  }

  /** The problem that an exception means; logged where it is our fault. */
  public static ProblemJson of(Throwable thrown) {
    Throwable cause = thrown;
    while ((cause instanceof CompletionException || cause instanceof ExecutionException)
        && cause.getCause() != null) {
      cause = cause.getCause();
    }
    if (cause instanceof ProblemException problem) {
      return ProblemJson.of(problem.problem());
    }
    LOG.error("request failed", cause);
    return ProblemJson.of(
        new Problem(ProblemType.INTERNAL, "The request failed; the server's log says why"));
  }

  private static ProblemJson of(HttpResponseException e, String method) {
    int status = e.getStatus();
    if (status == HttpStatus.METHOD_NOT_ALLOWED_405) {
      String allow = e.getDetails().getOrDefault("availableMethods", "");
      return methodNotAllowed(method, allow);
    }
    return ProblemJson.ofStatus(status, detailOf(status));
  }

  public static ProblemJson methodNotAllowed(String method, String allow) {
    return ProblemJson.of(
            new Problem(
                ProblemType.METHOD_NOT_ALLOWED,
                "method: '" + method + "' (expected: " + allow + ")"))
        .with("Allow", allow);
  }

  public static void send(Context ctx, ProblemJson problem) {
    problem.headers().forEach(ctx::header);
    ctx.status(problem.status()).contentType(ProblemJson.CONTENT_TYPE).result(problem.body());
  }

  public static void send(Response response, Callback callback, ProblemJson problem) {
    response.setStatus(problem.status());
    problem.headers().forEach(response.getHeaders()::put);
    response.getHeaders().put(HttpHeader.CONTENT_TYPE, ProblemJson.CONTENT_TYPE);
    byte[] body = problem.body().getBytes(UTF_8);
    response.getHeaders().put(HttpHeader.CONTENT_LENGTH, body.length);
    response.write(true, ByteBuffer.wrap(body), callback);
  }

  private static String detailOf(int status) {
    return switch (status) {
      case HttpStatus.BAD_REQUEST_400 -> "The request is not well-formed HTTP";
      case HttpStatus.NOT_FOUND_404 -> "There is nothing at this path";
      case HttpStatus.PAYLOAD_TOO_LARGE_413 -> "The request body is too large";
      case HttpStatus.URI_TOO_LONG_414 -> "The request URI is too long";
      case HttpStatus.REQUEST_HEADER_FIELDS_TOO_LARGE_431 -> "The request headers are too large";
      case HttpStatus.INTERNAL_SERVER_ERROR_500 -> "The request failed; the server's log says why";
      default -> "The request can't be answered";
    };
  }

  private static final class JettyErrors extends ErrorHandler {
    @Override
    public boolean handle(Request request, Response response, Callback callback) {
      int status = response.getStatus();
      Object thrown = request.getAttribute(ERROR_EXCEPTION);
      // Jetty's own verdicts on a request come as HttpException, and are no fault of ours
      if (thrown instanceof Throwable t
          && !(t instanceof HttpException)
          && status >= HttpStatus.INTERNAL_SERVER_ERROR_500) {
        LOG.error("request failed", t);
      }
      send(response, callback, ProblemJson.ofStatus(status, detailOf(status)));
      return true;
    }
  }
}
