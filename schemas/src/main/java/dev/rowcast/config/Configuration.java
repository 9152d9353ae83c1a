package dev.rowcast.config;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A whole {@code rowcast.yaml}, checked: names that refer to something do, numbers are in range,
 * and what was left out has its default. The names of the YAML keys are these in {@code
 * snake_case}.
 *
 * @param server where and how HTTP is served
 * @param kafka the cluster that holds Rowcast's topics
 * @param connect the Kafka Connect worker that runs the sources
 * @param secret what token signing and encryption at rest derive their keys from; null where the
 *     file has none, for the node to make one and keep it in its data directory; never logged
 * @param auth how callers prove who they are
 * @param sources where rows come from
 * @param tables what is captured
 * @param relationships which tables belong together
 * @param roles who there is
 * @param rlsRules which rows each role sees
 */
public record Configuration(
    ServerConfig server,
    KafkaConfig kafka,
    ConnectConfig connect,
    @Nullable Secret secret,
    AuthConfig auth,
    List<SourceConfig> sources,
    List<TableConfig> tables,
    List<RelationshipConfig> relationships,
    List<RoleConfig> roles,
    List<RlsRuleConfig> rlsRules) {
  public Configuration {
    sources = List.copyOf(sources);
    tables = List.copyOf(tables);
    relationships = List.copyOf(relationships);
    roles = List.copyOf(roles);
    rlsRules = List.copyOf(rlsRules);
  }

  /** The same with other HTTP settings. */
  public Configuration withServer(ServerConfig server) {
    return new Configuration(
        server, kafka, connect, secret, auth, sources, tables, relationships, roles, rlsRules);
  }

  /** The same with another cluster. */
  public Configuration withKafka(KafkaConfig kafka) {
    return new Configuration(
        server, kafka, connect, secret, auth, sources, tables, relationships, roles, rlsRules);
  }

  /** The same with another Connect worker. */
  public Configuration withConnect(ConnectConfig connect) {
    return new Configuration(
        server, kafka, connect, secret, auth, sources, tables, relationships, roles, rlsRules);
  }

  /** The same with a secret. */
  public Configuration withSecret(Secret secret) {
    return new Configuration(
        server, kafka, connect, secret, auth, sources, tables, relationships, roles, rlsRules);
  }

  /** The same with other sources; every table's source must be among them. */
  public Configuration withSources(List<SourceConfig> sources) {
    return new Configuration(
        server, kafka, connect, secret, auth, sources, tables, relationships, roles, rlsRules);
  }

  /** The same with other tables; every rule's table must be among them. */
  public Configuration withTables(List<TableConfig> tables) {
    return new Configuration(
        server, kafka, connect, secret, auth, sources, tables, relationships, roles, rlsRules);
  }

  /** The same with other rules. */
  public Configuration withRlsRules(List<RlsRuleConfig> rlsRules) {
    return new Configuration(
        server, kafka, connect, secret, auth, sources, tables, relationships, roles, rlsRules);
  }
}
