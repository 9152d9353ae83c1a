/** What is captured and how the sources fare, as the {@code catalog} topic says. */
@NullMarked
package dev.rowcast.catalog;

import org.jspecify.annotations.NullMarked;
