package dev.rowcast.config;

import java.net.URI;

/**
 * The worker that runs the sources: {@code connect}.
 *
 * @param url the REST interface of the Kafka Connect worker
 */
public record ConnectConfig(URI url) {}
