/**
 * Kafka Connect's REST interface as Rowcast uses it: connectors applied at start-up, and the
 * capture of single tables switched while everything runs.
 */
@NullMarked
package dev.rowcast.connectors.connect;

import org.jspecify.annotations.NullMarked;
