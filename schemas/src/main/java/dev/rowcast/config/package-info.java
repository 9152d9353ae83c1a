/**
 * The configuration model: {@code rowcast.yaml} as immutable records, and every fault in it by name
 * and line.
 */
@NullMarked
package dev.rowcast.config;

import org.jspecify.annotations.NullMarked;
