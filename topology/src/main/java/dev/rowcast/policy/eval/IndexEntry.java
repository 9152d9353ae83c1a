package dev.rowcast.policy.eval;

/**
 * A value by which rows are found.
 *
 * @param source what of a row has it
 * @param key it, as {@link KeySource} makes it of rows
 */
public record IndexEntry(KeySource source, Object key) {}
