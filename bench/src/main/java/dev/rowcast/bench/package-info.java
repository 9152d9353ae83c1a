/** Measurements of what is promised about speed and memory, each a command that prints a table. */
@NullMarked
package dev.rowcast.bench;

import org.jspecify.annotations.NullMarked;
