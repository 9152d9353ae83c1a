package dev.rowcast.standalone;

import dev.rowcast.config.Configuration;
import dev.rowcast.config.Secret;
import dev.rowcast.policy.ConfiguredPolicy;
import dev.rowcast.policy.InvalidRuleException;
import dev.rowcast.policy.Policy;
import dev.rowcast.problem.ProblemException;
import dev.rowcast.problem.ProblemType;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Compiles a configuration's rules. */
final class Policies {
  private Policies() {}

  /**
   * @throws ProblemException naming the rule or mask that can't be used
   */
  static Policy compile(Configuration configuration, Secret secret, MeterRegistry registry) {
    try {
      return new ConfiguredPolicy(
          configuration,
          hashKey(secret),
          (table, role) ->
              Counter.builder("rowcast.policy.missing.claims")
                  .description("Views without a claim that their rule needs: they show no row")
                  .tag("table", table.toString())
                  .tag("role", role)
                  .register(registry)
                  .increment());
    } catch (InvalidRuleException e) {
      ProblemException problem =
          new ProblemException(ProblemType.INVALID_PARAMETER, e.getMessage());
      problem.initCause(e);
      throw problem;
    }
  }

  /**
   * Compiles the rules only to see whether they can be.
   *
   * @throws InvalidRuleException if one can't
   */
  static void check(Configuration configuration) {
    var unused = new ConfiguredPolicy(configuration, new byte[] {0}, (table, role) -> {});
  }

  // a key of its own for every use of the one secret
  private static byte[] hashKey(Secret secret) {
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(secret.reveal().getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
      return mac.doFinal("rowcast hash masks".getBytes(StandardCharsets.US_ASCII));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java platform has HmacSHA256", e);
    }
  }
}
