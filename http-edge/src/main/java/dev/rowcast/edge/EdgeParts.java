package dev.rowcast.edge;

import static java.util.Objects.requireNonNull;

import dev.rowcast.catalog.Catalog;
import dev.rowcast.config.Secret;
import dev.rowcast.config.ServerConfig;
import dev.rowcast.config.TableConfig;
import dev.rowcast.edge.auth.Access;
import dev.rowcast.edge.policy.Proposals;
import dev.rowcast.edge.stream.StreamLimits;
import dev.rowcast.fanout.EventFeed;
import dev.rowcast.keys.ApiKeys;
import dev.rowcast.source.Capture;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Clock;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What an {@link Edge} serves and from what.
 *
 * @param server where and how to listen
 * @param limits how many streams
 * @param tables the configured tables: their ids are names that requests may use
 * @param feed the outbox
 * @param access who may do what as it is now; after a reload gives another one, call {@link
 *     Edge#recheck}
 * @param proposals compiles rules that are only tried out
 * @param keys the API keys
 * @param catalog what is captured
 * @param capture switches capture on and off; null where it can't be
 * @param secret what the token signing key is derived from, {@code >= 16} bytes in UTF-8; the same
 *     on all nodes
 * @param registry what {@code /metrics} shows
 * @param ready whether the node has caught up
 * @param clock the time of day
 */
public record EdgeParts(
    ServerConfig server,
    StreamLimits limits,
    List<TableConfig> tables,
    EventFeed feed,
    Supplier<Access> access,
    Proposals proposals,
    ApiKeys keys,
    Catalog catalog,
    @Nullable Capture capture,
    Secret secret,
    PrometheusMeterRegistry registry,
    BooleanSupplier ready,
    Clock clock) {

  public EdgeParts {
    requireNonNull(server, "server");
    tables = List.copyOf(tables);
  }
}
