/** Errors as RFC 9457 problem details, whoever noticed them. */
@NullMarked
package dev.rowcast.edge.problem;

import org.jspecify.annotations.NullMarked;
