/** Polling: one page of events per request. */
@NullMarked
package dev.rowcast.edge.poll;

import org.jspecify.annotations.NullMarked;
