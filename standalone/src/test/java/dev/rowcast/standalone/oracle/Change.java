package dev.rowcast.standalone.oracle;

import com.fasterxml.jackson.databind.JsonNode;
import org.jspecify.annotations.Nullable;

/**
 * One change that a writer has committed.
 *
 * @param table unqualified
 * @param key the row key as event objects tell it
 * @param op insert, update or delete
 * @param row the row after it; null on delete
 * @param order rises with every change of the same key
 */
record Change(String table, JsonNode key, String op, @Nullable JsonNode row, long order) {}
