/**
 * A compacted topic followed into memory. What changes seldom and is read with every request (keys,
 * the catalog) is a topic to write to and a map to read from; how the one becomes the other stands
 * here once.
 */
@NullMarked
package dev.rowcast.compacted;

import org.jspecify.annotations.NullMarked;
