/** Where HTTP is served: the one class that is started, and what it puts together. */
@NullMarked
package dev.rowcast.edge;

import org.jspecify.annotations.NullMarked;
