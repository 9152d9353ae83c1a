/** API keys: who holds which secret, as the {@code keys} topic says. */
@NullMarked
package dev.rowcast.keys;

import org.jspecify.annotations.NullMarked;
