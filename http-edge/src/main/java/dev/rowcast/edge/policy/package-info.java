/** Why somebody sees an event, and what another policy would show: for those who manage. */
@NullMarked
package dev.rowcast.edge.policy;

import org.jspecify.annotations.NullMarked;
