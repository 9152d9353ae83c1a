/** What a request says, read strictly: parameters, bodies, table names. */
@NullMarked
package dev.rowcast.edge.request;

import org.jspecify.annotations.NullMarked;
