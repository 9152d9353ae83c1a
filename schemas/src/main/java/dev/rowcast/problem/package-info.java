/** How an error is said: RFC 9457 problem details as values. */
@NullMarked
package dev.rowcast.problem;

import org.jspecify.annotations.NullMarked;
