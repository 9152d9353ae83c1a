/** Measurements of what {@code dev.rowcast.fanout} keeps to itself. */
@NullMarked
package dev.rowcast.fanout;

import org.jspecify.annotations.NullMarked;
