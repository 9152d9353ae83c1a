/** Random predicates over random rows, judged by our compiler and by PostgreSQL. */
@NullMarked
package dev.rowcast.policy.oracle;

import org.jspecify.annotations.NullMarked;
