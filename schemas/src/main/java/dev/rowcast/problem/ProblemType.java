package dev.rowcast.problem;

/**
 * The kinds of problem that a client can meet. The {@link #type()} is stable: programs may branch
 * on it, and it stands as {@code type} in RFC 9457 problem details.
 */
public enum ProblemType {
  INVALID_CURSOR("invalid-cursor", 400, "Not a cursor"),
  INVALID_PARAMETER("invalid-parameter", 400, "Invalid parameter"),
  INVALID_BODY("invalid-body", 400, "Invalid request body"),
  UNAUTHENTICATED("unauthenticated", 401, "Missing or unknown credential"),
  FORBIDDEN("forbidden", 403, "Not allowed"),
  UNKNOWN_TABLE("unknown-table", 404, "Unknown table"),
  NOT_FOUND("not-found", 404, "Not found"),
  METHOD_NOT_ALLOWED("method-not-allowed", 405, "Method not allowed"),
  NOT_ACCEPTABLE("not-acceptable", 406, "Not acceptable"),
  CONFLICT("conflict", 409, "Conflict"),
  CURSOR_EXPIRED("cursor-expired", 410, "Cursor no longer retained"),
  CURSOR_UNKNOWN("cursor-unknown", 410, "Cursor not of this outbox"),
  BODY_TOO_LARGE("body-too-large", 413, "Request body too large"),
  UNSUPPORTED_MEDIA_TYPE("unsupported-media-type", 415, "Unsupported media type"),
  NO_USABLE_KEY("no-usable-key", 422, "Table without a usable key"),
  CAPTURE_REFUSED("capture-refused", 422, "Capture not possible"),
  TOO_MANY_REQUESTS("too-many-requests", 429, "Too many requests"),
  INTERNAL("internal-error", 500, "Internal error"),
  UNAVAILABLE("unavailable", 503, "Temporarily unavailable");

  private final String type;
  private final int status;
  private final String title;

  ProblemType(String type, int status, String title) {
    this.type = type;
    this.status = status;
    this.title = title;
  }

  public String type() {
    return type;
  }

  /** The HTTP status code. */
  public int status() {
    return status;
  }

  public String title() {
    return title;
  }
}
