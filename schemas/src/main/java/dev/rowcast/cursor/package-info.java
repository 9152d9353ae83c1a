/** Cursors: positions in the outbox as users write and read them. */
@NullMarked
package dev.rowcast.cursor;

import org.jspecify.annotations.NullMarked;
