package dev.rowcast.config;

import org.jspecify.annotations.Nullable;

/**
 * Where rows come from: an entry of {@code sources}.
 *
 * @param id what tables refer to
 * @param type what kind of system it is
 * @param database how to reach it; null for a source that is only topics
 * @param cdc where its changes stand in Kafka; null where they don't
 */
public record SourceConfig(
    String id, SourceType type, @Nullable DatabaseConfig database, @Nullable CdcConfig cdc) {

  /** The same with its database elsewhere. */
  public SourceConfig withDatabase(DatabaseConfig database) {
    return new SourceConfig(id, type, database, cdc);
  }

  /** The kinds of source. */
  public enum SourceType {
    POSTGRESQL,
    MYSQL,
    MARIADB,
    MONGODB,
    KAFKA,
    FEDERATED
  }

  /**
   * How a database is reached.
   *
   * @param url the JDBC URL, without user and password
   * @param username who connects
   * @param password their password
   */
  public record DatabaseConfig(String url, String username, Secret password) {}

  /**
   * Where changes stand in Kafka: {@code cdc}.
   *
   * @param bootstrapServers the cluster; null for Rowcast's own
   * @param topicPrefix the first part of {@code {prefix}.{schema}.{table}}; null where each table
   *     names its topic
   * @param schemaRegistryUrl for Avro; null for JSON
   */
  public record CdcConfig(
      @Nullable String bootstrapServers,
      @Nullable String topicPrefix,
      @Nullable String schemaRegistryUrl) {}
}
