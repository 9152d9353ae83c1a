package dev.rowcast.fanout;

import java.util.List;

/**
 * One page of events.
 *
 * @param events event objects as JSON in UTF-8, shared: not to be written to
 * @param position where to go on: past everything that was scanned
 * @param hasMore whether there was more to scan when the page was cut
 */
public record Page(List<byte[]> events, long position, boolean hasMore) {
  public Page {
    events = List.copyOf(events);
  }
}
