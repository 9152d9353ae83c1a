/** The latest row of every table, as the {@code rows} topic says. */
@NullMarked
package dev.rowcast.rows;

import org.jspecify.annotations.NullMarked;
