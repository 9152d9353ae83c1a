/** Switching the capture of tables on and off. */
@NullMarked
package dev.rowcast.edge.capture;

import org.jspecify.annotations.NullMarked;
