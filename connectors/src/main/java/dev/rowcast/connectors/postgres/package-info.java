/**
 * PostgreSQL's row changes, by triggers and an outbox in the writer's own transaction.
 *
 * <p>A row travels like this: the trigger of {@link
 * dev.rowcast.connectors.postgres.CaptureFunction} writes it to {@code rowcast.outbox}; {@link
 * dev.rowcast.connectors.postgres.OutboxReader} reads what became visible between two snapshots;
 * {@link dev.rowcast.connectors.postgres.ChangeRecords} makes an event and a row of it; Kafka
 * Connect commits both and the position in one transaction. {@link
 * dev.rowcast.connectors.postgres.SourceSession} is where these meet.
 */
@NullMarked
package dev.rowcast.connectors.postgres;

import org.jspecify.annotations.NullMarked;
