/**
 * The {@code rowcast} command: it puts the parts together and starts them in order. Nothing else
 * lives here: what a part does is that part's own.
 */
@NullMarked
package dev.rowcast.standalone;

import org.jspecify.annotations.NullMarked;
