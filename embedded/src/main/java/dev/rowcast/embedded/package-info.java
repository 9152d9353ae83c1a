/**
 * Real servers in or under this process: Kafka and Connect inside the JVM, PostgreSQL as a child.
 *
 * <p>One command has to bring up everything, and the tests of the other modules run against the
 * same servers users run; both want them on a loopback address, small, persistent, and gone when
 * their owner is gone, however it went. The package knows no other part of Rowcast.
 *
 * <p>{@link dev.rowcast.embedded.EmbeddedStack} is the usual way in. Each server locks the
 * directory it is given; what keeps one from starting is an {@link
 * dev.rowcast.embedded.EmbeddedStartException} that can be shown to a user as it is.
 */
@NullMarked
package dev.rowcast.embedded;

import org.jspecify.annotations.NullMarked;
