/** The names and settings of Rowcast's own Kafka topics, without Kafka's classes. */
@NullMarked
package dev.rowcast.topic;

import org.jspecify.annotations.NullMarked;
