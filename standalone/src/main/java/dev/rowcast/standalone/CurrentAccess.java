package dev.rowcast.standalone;

import dev.rowcast.catalog.Catalog;
import dev.rowcast.config.Configuration;
import dev.rowcast.config.ConfigurationLoader;
import dev.rowcast.config.Fault;
import dev.rowcast.config.InvalidConfigurationException;
import dev.rowcast.config.RoleConfig;
import dev.rowcast.config.Secret;
import dev.rowcast.edge.auth.Access;
import dev.rowcast.edge.auth.Managers;
import dev.rowcast.edge.jwt.JsonWebTokens;
import dev.rowcast.edge.policy.Proposals;
import dev.rowcast.policy.ConfiguredPolicy;
import dev.rowcast.policy.Identity;
import dev.rowcast.policy.InvalidRuleException;
import dev.rowcast.policy.Policy;
import dev.rowcast.policy.lookup.RowIndexes;
import dev.rowcast.problem.ProblemException;
import dev.rowcast.problem.ProblemType;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Clock;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * Who may do what on this node, by the configuration that holds now. Any thread may ask; one at a
 * time prepares and publishes another one.
 */
final class CurrentAccess implements Supplier<Access>, Proposals {
  private final Secret secret;
  private final Catalog catalog;
  private final MeterRegistry registry;
  private final RowIndexes lookups;
  private volatile Prepared current;

  /**
   * An access that could hold.
   *
   * @param configuration what it was made of
   */
  record Prepared(Configuration configuration, Access access) {}

  /**
   * @throws ProblemException naming the rule or mask that can't be used
   */
  CurrentAccess(
      Configuration configuration,
      Secret secret,
      Catalog catalog,
      MeterRegistry registry,
      Clock clock) {
    this.secret = secret;
    this.catalog = catalog;
    this.registry = registry;
    Set<String> roles = roles(configuration);
    JsonWebTokens tokens = new JsonWebTokens(configuration.auth().jwt(), roles, registry, clock);
    Policies.Compiled rules = Policies.compile(configuration, secret, catalog, registry);
    lookups = rules.lookups();
    current =
        new Prepared(
            configuration, new Access(rules.policy(), new Managers(configuration.roles()), tokens));
  }

  @Override
  public Access get() {
    return current.access();
  }

  /** The rows that rules ask for, to be followed; a reload can't add to them. */
  RowIndexes lookups() {
    return lookups;
  }

  /** What holds now; of a table that is no longer in the file, what it said last. */
  Configuration configuration() {
    return current.configuration();
  }

  /**
   * Makes the access of another configuration; nothing changes by it. What is the same in both is
   * shared, so that nobody is judged anew for nothing.
   *
   * @throws ProblemException saying what can't be used
   */
  Prepared prepare(Configuration next) {
    Prepared now = current;
    Configuration merged = Reload.merged(now.configuration(), next);
    Policy policy =
        Reload.samePolicy(now.configuration(), merged)
            ? now.access().policy()
            : Policies.recompile(merged, secret, catalog, registry, lookups);
    JsonWebTokens tokens = now.access().tokens().with(merged.auth().jwt(), roles(merged));
    tokens.prefetch();
    return new Prepared(merged, new Access(policy, new Managers(merged.roles()), tokens));
  }

  /** Rules to be tried out; a proposal comes over HTTP and gets nothing of our environment. */
  @Override
  public Trial of(String document, Identity asker) {
    Configuration running = current.configuration();
    try {
      Configuration next = new ConfigurationLoader(Map.of()).propose(running, "proposal", document);
      ConfiguredPolicy now = Policies.tried(running, secret, catalog, lookups);
      ConfiguredPolicy proposed = Policies.tried(next, secret, catalog, lookups);
      proposed.requireNothingBeyond(now, asker);
      return new Trial(now, proposed);
    } catch (InvalidRuleException e) {
      throw new ProblemException(ProblemType.FORBIDDEN, "proposal: " + e.getMessage());
    } catch (InvalidConfigurationException e) {
      String faults = e.faults().stream().map(Fault::toString).collect(Collectors.joining("\n"));
      throw new ProblemException(ProblemType.INVALID_BODY, faults);
    } catch (ProblemException e) {
      throw new ProblemException(ProblemType.INVALID_BODY, "proposal: " + e.problem().detail());
    }
  }

  /** Has a prepared access hold from now on, all of it at once. */
  void publish(Prepared prepared) {
    current = prepared;
  }

  private static Set<String> roles(Configuration configuration) {
    return configuration.roles().stream().map(RoleConfig::id).collect(Collectors.toSet());
  }
}
