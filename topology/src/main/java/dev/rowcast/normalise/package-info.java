/**
 * From whatever a topic holds to row changes: the Kafka Streams topology that writes {@code events}
 * and {@code rows}.
 */
@NullMarked
package dev.rowcast.normalise;

import org.jspecify.annotations.NullMarked;
