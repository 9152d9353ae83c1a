/**
 * What another policy would show: two policies judge the same rows for the same readers, and
 * nothing of the proposed one takes effect. No Kafka, no HTTP.
 */
@NullMarked
package dev.rowcast.policy.dryrun;

import org.jspecify.annotations.NullMarked;
