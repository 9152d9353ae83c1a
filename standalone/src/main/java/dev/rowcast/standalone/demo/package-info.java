/**
 * {@code rowcast demo}: everything embedded, on the rows of a small shop that change by themselves.
 */
@NullMarked
package dev.rowcast.standalone.demo;

import org.jspecify.annotations.NullMarked;
