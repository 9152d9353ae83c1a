package dev.rowcast.edge.auth;

import dev.rowcast.edge.jwt.JsonWebTokens;
import dev.rowcast.policy.Policy;

/**
 * What decides who may do what, of one configuration: a reload replaces all of it at once.
 * Immutable but for the keys of issuers; thread-safe.
 *
 * @param policy what is seen
 * @param managers which roles there are, and which may manage
 * @param tokens whose JWTs are taken
 */
public record Access(Policy policy, Managers managers, JsonWebTokens tokens) {}
