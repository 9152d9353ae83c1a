@NullMarked
package dev.rowcast.connectors.postgres;

import org.jspecify.annotations.NullMarked;
