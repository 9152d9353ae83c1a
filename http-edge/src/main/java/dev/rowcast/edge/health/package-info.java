/** What operators and load balancers ask. */
@NullMarked
package dev.rowcast.edge.health;

import org.jspecify.annotations.NullMarked;
