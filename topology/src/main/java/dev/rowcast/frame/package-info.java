/**
 * The bytes that readers get: event objects, SSE frames, pages. The only place that writes them.
 */
@NullMarked
package dev.rowcast.frame;

import org.jspecify.annotations.NullMarked;
