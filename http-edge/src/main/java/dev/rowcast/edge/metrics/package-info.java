/** What the edge counts. */
@NullMarked
package dev.rowcast.edge.metrics;

import org.jspecify.annotations.NullMarked;
