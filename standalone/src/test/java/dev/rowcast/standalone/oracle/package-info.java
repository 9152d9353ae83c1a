/**
 * The heart of the tests: random transactions on one side, readers that come and go on the other,
 * and a model that knows what each of them must have seen.
 */
@NullMarked
package dev.rowcast.standalone.oracle;

import org.jspecify.annotations.NullMarked;
