package dev.rowcast.edge.jwt;

import com.fasterxml.jackson.databind.JsonNode;
import dev.rowcast.config.JwtConfig;
import dev.rowcast.config.JwtConfig.JwtKeys.Published;
import dev.rowcast.config.JwtConfig.JwtKeys.Shared;
import dev.rowcast.edge.jwt.Judgement.Accepted;
import dev.rowcast.edge.jwt.Judgement.Reason;
import dev.rowcast.edge.jwt.Judgement.Refused;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * All issuers whose tokens are taken. A changed configuration is another one, see {@link #with}.
 * Thread-safe.
 */
public final class JsonWebTokens {
  /** Longer than the longest that any issuer may be allowed, so that no more is looked at. */
  private static final int LONGEST = 12288;

  private final JwksClient client;
  private final JwtMetrics metrics;
  private final Clock clock;
  private final List<JwtConfig> configs;
  private final Set<String> roles;
  private final Map<String, Issuer> byName = new HashMap<>();

  /**
   * @param configs by whom tokens may be issued
   * @param roles the ids of all roles
   * @param clock what {@code exp} and the age of keys are judged by
   */
  public JsonWebTokens(
      List<JwtConfig> configs, Set<String> roles, MeterRegistry registry, Clock clock) {
    this(configs, roles, new JwksClient(), new JwtMetrics(registry), clock, List.of());
  }

  private JsonWebTokens(
      List<JwtConfig> configs,
      Set<String> roles,
      JwksClient client,
      JwtMetrics metrics,
      Clock clock,
      List<IssuerKeys> former) {
    this.client = client;
    this.metrics = metrics;
    this.clock = clock;
    this.configs = List.copyOf(configs);
    this.roles = Set.copyOf(roles);
    for (JwtConfig config : configs) {
      Issuer issuer = new Issuer(config, keys(config, former), roles);
      config.issuers().forEach(name -> byName.put(name, issuer));
    }
  }

  private IssuerKeys keys(JwtConfig config, List<IssuerKeys> former) {
    if (config.keys() instanceof Shared shared) {
      return new IssuerKeys.Fixed(KeySet.of(shared.secret()));
    }
    Published where = (Published) config.keys();
    for (IssuerKeys known : former) {
      if (known instanceof PublishedKeys published && published.where().equals(where)) {
        return known;
      }
    }
    return new PublishedKeys(where, client, metrics, clock);
  }

  /**
   * The tokens of another configuration. Keys that are known of issuers in both stay known; itself
   * where nothing is different.
   */
  public JsonWebTokens with(List<JwtConfig> configs, Set<String> roles) {
    if (configs.equals(this.configs) && roles.equals(this.roles)) {
      return this;
    }
    List<IssuerKeys> known = new ArrayList<>();
    byName.values().forEach(issuer -> known.add(issuer.keys()));
    return new JsonWebTokens(configs, roles, client, metrics, clock, known);
  }

  /** Has the keys that aren't known yet fetched, for the first token not to wait. Blocks for it. */
  public void prefetch() {
    for (Issuer issuer : byName.values()) {
      issuer.keys().newerThan(KeySet.UNKNOWN);
    }
  }

  /** Whether a text has the outward form of a token that somebody here could judge. */
  public boolean takes(String text) {
    return !byName.isEmpty() && UnverifiedToken.looksLikeOne(text);
  }

  /**
   * What is held of a token. May wait for the issuer's keys, for seconds at most.
   *
   * @throws dev.rowcast.problem.ProblemException {@code UNAVAILABLE} where too many wait already
   */
  public Judgement judge(String compact) {
    Judgement judgement = judge(compact, true);
    metrics.judged(judgement);
    return judgement;
  }

  /**
   * What is held of a token now that was accepted once, by what is known of its issuer's keys.
   * Doesn't block; costs little as long as neither the configuration nor the keys are others.
   */
  public Judgement judgeAgain(Accepted token) {
    if (!clock.instant().isBefore(token.expires())) {
      return new Refused(Reason.EXPIRED, "The JWT has expired");
    }
    boolean same =
        byName.containsValue(token.issuer()) && token.issuer().keys().current() == token.keys();
    return same ? token : judge(token.compact(), false);
  }

  private Judgement judge(String compact, boolean patient) {
    if (compact.length() > LONGEST) {
      return new Refused(
          Reason.TOO_LONG, "The JWT is too long (expected: at most " + LONGEST + " bytes)");
    }
    try {
      UnverifiedToken token = UnverifiedToken.of(compact);
      JsonNode name = token.claims().path("iss");
      Issuer issuer = name.isTextual() ? byName.get(name.textValue()) : null;
      if (issuer == null) {
        throw new RefusedException(
            Reason.ISSUER,
            name.isMissingNode() ? "iss: missing" : "iss: not an issuer whose tokens are taken");
      }
      return issuer.judge(token, clock.instant(), patient);
    } catch (RefusedException e) {
      return e.refused();
    }
  }
}
