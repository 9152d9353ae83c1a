/** Who may see what, decided from values alone: no Kafka, no HTTP, no clock. */
@NullMarked
package dev.rowcast.policy;

import org.jspecify.annotations.NullMarked;
