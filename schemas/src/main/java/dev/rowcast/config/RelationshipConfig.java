package dev.rowcast.config;

import org.jspecify.annotations.Nullable;

/**
 * How two tables belong together: an entry of {@code relationships}.
 *
 * @param id its name in messages
 * @param name the field's name; null for the target table's id
 * @param sourceTableId the table that has the field
 * @param targetTableId the table that it leads to
 * @param sourceColumn a column of the source table
 * @param targetColumn the column of the target table that equals it
 * @param cardinality how many rows there can be on each side
 */
public record RelationshipConfig(
    String id,
    @Nullable String name,
    String sourceTableId,
    String targetTableId,
    String sourceColumn,
    String targetColumn,
    Cardinality cardinality) {

  /** How many rows belong to how many. */
  public enum Cardinality {
    MANY_TO_ONE,
    ONE_TO_MANY,
    ONE_TO_ONE
  }
}
