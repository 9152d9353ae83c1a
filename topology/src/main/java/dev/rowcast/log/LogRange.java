package dev.rowcast.log;

/**
 * What the broker has of the outbox.
 *
 * @param oldest the position before the oldest retained event
 * @param latest the position after the newest committed one
 * @param end the position after the newest record, committed or not: nothing has a higher id
 */
public record LogRange(long oldest, long latest, long end) {}
