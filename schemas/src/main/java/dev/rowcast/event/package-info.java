/**
 * What a row change is, and its one form on the wire.
 *
 * <p>Every source, whatever it speaks, ends in {@link dev.rowcast.event.RowChange} and passes
 * {@link dev.rowcast.event.RowEncoder} and {@link dev.rowcast.event.EventCodec}, so that the same
 * row reads the same whether a trigger, a topic or a poll saw it. The package knows neither Kafka
 * nor HTTP.
 */
@NullMarked
package dev.rowcast.event;

import org.jspecify.annotations.NullMarked;
