package dev.rowcast.event;

import static java.util.Objects.requireNonNull;

/**
 * A table by schema and name, exactly as the database spells them (no quoting, no folding). For a
 * source without schemas the schema is what its configuration says.
 */
public record TableId(String schema, String name) implements Comparable<TableId> {

  public TableId {
    requireNonNull(schema, "schema");
    requireNonNull(name, "name");
    if (schema.isEmpty() || name.isEmpty()) {
      throw new IllegalArgumentException("schema and name: empty (expected: both non-empty)");
    }
  }

  @Override
  public int compareTo(TableId other) {
    int bySchema = schema.compareTo(other.schema);
    return bySchema != 0 ? bySchema : name.compareTo(other.name);
  }

  /** {@code schema.name}: for messages and parameters, ambiguous where a name holds a dot. */
  @Override
  public String toString() {
    return schema + "." + name;
  }
}
