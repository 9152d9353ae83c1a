/**
 * From one event to all who may see it: audiences, their logs of frames, and the subscribers'
 * positions. The interfaces are what the edge sees of the outbox.
 */
@NullMarked
package dev.rowcast.fanout;

import org.jspecify.annotations.NullMarked;
