package dev.rowcast.edge.problem;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.rowcast.problem.Problem;
import dev.rowcast.problem.ProblemType;
import java.io.UncheckedIOException;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.eclipse.jetty.http.HttpStatus;

/**
 * An error as it is sent: RFC 9457 {@code application/problem+json}. Immutable; thread-safe.
 *
 * @param status the HTTP status code
 * @param headers what the status asks for beside the body
 * @param body the problem object
 */
public record ProblemJson(int status, Map<String, String> headers, String body) {
  public static final String CONTENT_TYPE = "application/problem+json";

  /** What to wait before asking again, in seconds, where we are the ones who can't. */
  private static final String RETRY_AFTER = "5";

  private static final ObjectMapper JSON = new ObjectMapper();

  /** The kinds that say no more than their status. */
  private static final Set<ProblemType> GENERAL =
      EnumSet.of(
          ProblemType.UNAUTHENTICATED,
          ProblemType.FORBIDDEN,
          ProblemType.NOT_FOUND,
          ProblemType.METHOD_NOT_ALLOWED,
          ProblemType.NOT_ACCEPTABLE,
          ProblemType.BODY_TOO_LARGE,
          ProblemType.UNSUPPORTED_MEDIA_TYPE,
          ProblemType.TOO_MANY_REQUESTS,
          ProblemType.INTERNAL,
          ProblemType.UNAVAILABLE);

  public ProblemJson {
    headers = Map.copyOf(headers);
  }

  public static ProblemJson of(Problem problem) {
    ProblemType type = problem.type();
    return of(type.status(), type.type(), type.title(), problem.detail(), problem.members());
  }

  /**
   * A status that isn't one of our own kinds: RFC 9457 names these {@code about:blank}, with the
   * status's own phrase as title.
   */
  public static ProblemJson ofStatus(int status, String detail) {
    for (ProblemType type : ProblemType.values()) {
      if (type.status() == status && GENERAL.contains(type)) {
        return of(new Problem(type, detail));
      }
    }
    return of(status, "about:blank", HttpStatus.getMessage(status), detail, Map.of());
  }

  private static ProblemJson of(
      int status, String type, String title, String detail, Map<String, Object> members) {
    Map<String, Object> object = new LinkedHashMap<>();
    object.put("type", type);
    object.put("title", title);
    object.put("status", status);
    object.put("detail", detail);
    new TreeMap<>(members).forEach(object::putIfAbsent);
    try {
      return new ProblemJson(status, headersOf(status), JSON.writeValueAsString(object));
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException(e); // strings, numbers and lists of them
    }
  }

  private static Map<String, String> headersOf(int status) {
    return switch (status) {
      case 401 ->
          Map.of("Cache-Control", "no-store", "WWW-Authenticate", "Bearer realm=\"rowcast\"");
      case 429, 503 -> Map.of("Cache-Control", "no-store", "Retry-After", RETRY_AFTER);
      default -> Map.of("Cache-Control", "no-store");
    };
  }

  /** The same, with one more header. */
  public ProblemJson with(String header, String value) {
    Map<String, String> more = new LinkedHashMap<>(headers);
    more.put(header, value);
    return new ProblemJson(status, more, body);
  }
}
