package dev.rowcast.config;

import org.jspecify.annotations.Nullable;

/**
 * Where a table's changes go: an entry of {@code live.outputs}.
 *
 * @param type by which means
 * @param topic of {@code KAFKA}: the topic written to; null for {@code SSE}
 * @param bootstrapServers of {@code KAFKA}: the cluster; null for Rowcast's own
 * @param keyColumn of {@code KAFKA}: the column whose value keys the records; null for the row key
 * @param asRole ({@code as} in the file) of {@code KAFKA}: the role whose rights filter it; null
 *     for unfiltered
 */
public record OutputConfig(
    OutputType type,
    @Nullable String topic,
    @Nullable String bootstrapServers,
    @Nullable String keyColumn,
    @Nullable String asRole) {

  /** The means. */
  public enum OutputType {
    SSE,
    KAFKA
  }
}
