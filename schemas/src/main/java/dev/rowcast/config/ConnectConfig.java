package dev.rowcast.config;

import java.net.URI;

/**
 * @param url the REST interface of the Kafka Connect worker
 */
public record ConnectConfig(URI url) {}
