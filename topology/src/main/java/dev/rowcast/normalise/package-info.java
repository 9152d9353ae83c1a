/**
 * From whatever a topic holds to row changes: the Kafka Streams topology that writes {@code events}
 * and {@code rows}, exactly once.
 *
 * <p>Start reading at {@link dev.rowcast.normalise.NormaliseTopology}: all nodes, stores and topics
 * stand there. What a record says is a {@link dev.rowcast.normalise.Decoder}'s to tell, one per
 * strategy; what it means beside what is known of the row, {@link
 * dev.rowcast.normalise.RowChangeProcessor}'s. {@link dev.rowcast.normalise.NormaliseApplication}
 * keeps the topology running and reports how the sources fare.
 */
@NullMarked
package dev.rowcast.normalise;

import org.jspecify.annotations.NullMarked;
