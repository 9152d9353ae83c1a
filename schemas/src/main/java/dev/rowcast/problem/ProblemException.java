package dev.rowcast.problem;

/** Carries a {@link Problem} to whoever answers the client. */
public final class ProblemException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient Problem problem;

  public ProblemException(Problem problem) {
    super(problem.type().type() + ": " + problem.detail());
    this.problem = problem;
  }

  public ProblemException(ProblemType type, String detail) {
    this(new Problem(type, detail));
  }

  public Problem problem() {
    return problem;
  }
}
