/** The outbox in Kafka as this node reads it: the live tail, the retained range, history. */
@NullMarked
package dev.rowcast.log;

import org.jspecify.annotations.NullMarked;
