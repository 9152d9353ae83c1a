/** Server-sent events: from a subscription's frames to a socket, without blocking. */
@NullMarked
package dev.rowcast.edge.stream;

import org.jspecify.annotations.NullMarked;
