package dev.rowcast.log;

import dev.rowcast.event.EventRecord;
import java.util.List;

/**
 * Consecutive events.
 *
 * @param events in order; may be empty where there is nothing but markers
 * @param position up to where was read
 */
public record LogSlice(List<EventRecord> events, long position) {}
