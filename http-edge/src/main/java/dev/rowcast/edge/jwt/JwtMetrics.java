package dev.rowcast.edge.jwt;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Locale;

/** What is counted of tokens; labels are few words, never from a token. Thread-safe. */
final class JwtMetrics {
  private final MeterRegistry registry;

  JwtMetrics(MeterRegistry registry) {
    this.registry = registry;
  }

  void judged(Judgement judgement) {
    String outcome;
    if (judgement instanceof Judgement.Refused refused) {
      outcome = refused.reason().name().toLowerCase(Locale.ROOT).replace('_', '-');
    } else {
      outcome = judgement instanceof Judgement.Accepted ? "accepted" : "no-keys";
    }
    Counter.builder("rowcast.jwt.judged")
        .description("JWTs that were shown, by what was held of them")
        .tag("outcome", outcome)
        .register(registry)
        .increment();
  }

  void fetched(boolean success) {
    Counter.builder("rowcast.jwks.fetches")
        .description("Fetches of an issuer's keys")
        .tag("outcome", success ? "ok" : "failed")
        .register(registry)
        .increment();
  }
}
