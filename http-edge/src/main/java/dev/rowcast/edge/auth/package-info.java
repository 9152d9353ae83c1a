/** Who asks, and what the credential they ask with is good for. */
@NullMarked
package dev.rowcast.edge.auth;

import org.jspecify.annotations.NullMarked;
