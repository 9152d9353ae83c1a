/** API keys as resources. */
@NullMarked
package dev.rowcast.edge.keys;

import org.jspecify.annotations.NullMarked;
