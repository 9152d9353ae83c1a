/** {@code rowcast keys}: an administrator's way to API keys, over the HTTP interface of a node. */
@NullMarked
package dev.rowcast.standalone.keys;

import org.jspecify.annotations.NullMarked;
