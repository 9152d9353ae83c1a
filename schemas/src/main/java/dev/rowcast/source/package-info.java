/** What is captured and how it fares: tables, their columns and keys, the state of each source. */
@NullMarked
package dev.rowcast.source;

import org.jspecify.annotations.NullMarked;
