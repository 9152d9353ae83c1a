/** What the tests of several packages need. */
@NullMarked
package dev.rowcast.testing;

import org.jspecify.annotations.NullMarked;
